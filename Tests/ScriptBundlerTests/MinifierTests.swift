import Testing

@testable import ScriptBundler

@Suite struct `Code for browsers` {
  @Test(arguments: [
    ("a\n", "a"), ("  a;  \n\n\tb; /* c */\n", "a;b;/* c */"), ("// a\nb\n  // c\n", "b"),
    ("/* a */\nb;\n", "b;"), ("/**\n * a\n */\nb\n", "b"),
    ("/** @type {A} */ const a = 1;\n", "const a=1;"),
    ("if (a) {\n  b(\n    c,\n    d)\n}\n", "if(a){b(c,d)}"), ("if (a) b; else c;\n", "if(a)b;else c;"),
    ("{ a; }\nb\n", "{a}b"), ("a\nb\n", "a\nb"), ("a = b + +c - -d + e++;\n", "a=b+ +c- -d+e++;"),
    ("/* a\n b */ c;\n", "c;"), ("a = \"/* b */\";\n", "a=\"/* b */\";"),
    ("a = \"\\\\\" + \"b \\\" c\";\n", "a=\"\\\\\"+\"b \\\" c\";"),
    ("a = `b > ${c ? d : e}`;\n", "a=`b > ${c ? d : e}`;"),
    ("(a) => /b > \\/ c/.test(d / 2 > e);\n", "(a)=>/b > \\/ c/.test(d/2>e);"),
  ])
  func `scripts lose comments on lines of their own, and white space without a meaning`(
    code: String, kept: String
  ) {
    #expect(String(decoding: Minifier.withoutComments(Array(code.utf8), isScript: true), as: UTF8.self) == kept)
  }

  @Test(arguments: [
    ("/* a */\na { b: c; }\n\nd e { f: g }\n", "a{b:c}d e{f:g}"),
    ("a > b :is(c, d) e { f: g + h }\n", "a>b :is(c,d) e{f:g + h}"),
    ("@media (a: b), (c) and (d) {\n  e { f }\n}\n", "@media (a:b),(c) and (d){e{f}}"),
    ("a { b: url('c = d') e / f\n    var(--g); }\n", "a{b:url('c = d') e / f\nvar(--g)}"),
  ])
  func `style sheets lose the same`(code: String, kept: String) {
    #expect(String(decoding: Minifier.withoutComments(Array(code.utf8), isScript: false), as: UTF8.self) == kept)
  }

  @Test func `modules in a list keep their names to themselves`() {
    let modules = [
      "// a\nconst c = 1;\nexport const a = c;\nexport function b() {}\n", "const c = 2;\nexport const a = c;\n",
    ]
    let listed = String(decoding: Minifier.listed(modules.map { Array($0.utf8) }), as: UTF8.self)
    #expect(
      listed == """
        export default[(()=>{const c=1;const a=c;function b(){}
        return{a,b}})(),(()=>{const c=2;const a=c;
        return{a}})()]
        """)
  }

  @Test func `modules as one have neither imports nor exports`() {
    let modules = ["// a\nexport const a = 1;\n", "import { a } from \"./a.js\";\nexport function b() {}\n"]
    let joined = String(decoding: Minifier.joined(modules.map { Array($0.utf8) }), as: UTF8.self)
    #expect(joined == "const a=1;function b(){}")
  }
}
