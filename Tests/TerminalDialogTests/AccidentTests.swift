import Foundation
import TestSupport
import Testing

@testable import OKCancelCLI
@testable import Prompts

/// Nobody answers by accident: what terminals send by themselves is no key, and what comes too early does not count.
struct AccidentTests {
  private static let seed = ProcessInfo.processInfo.environment["SEED"].flatMap { UInt64($0) } ?? 58

  /// As terminals send them: reports of a mouse, changes of the focus, replies to queries, keys that have no meaning here.
  private static let recorded: [[UInt8]] =
    [
      "[<35;40;12M", "[<64;40;12M", "[<0;1;1m", "[M !!", "[M#\u{7F}\u{7F}", "[Mé!é", "[5M", "[35;40;12M", "[t!!",
      "[T!!!!!!", "[I", "[O", "[1;1R", "[?1;1R", "[0n", "[?62;22c", "[>0;276;0c", "[=0c", "[8;24;80t", "[4;600;800t",
      "[?2004;1$y", "[?1u", "[97;5u", "[13u", "[13;1:3u", "[1;1:3A", "[27;5;13~", "[57358u", "[E", "[P", "[1;2P",
      "[11~", "[15~", "[24;5~", "[2~", "[25~", "[[A", "[[E", "[3$", "[7^", "[8@", "[201~", "[?997;1n", "OP", "OQ", "OS",
      "O2P", "O1;5P", "OE", "Oj", "Ok", "On", "Op", "Oy", "]11;rgb:1e1e/1e1e/1e1e\u{1B}\\", "]10;rgb:ff/ff/ff\u{7}",
      "]4;1;rgb:cd00/0000/0000\u{1B}\\", "]52;c;eQ==\u{7}", "]l title\u{1B}\\", "]0;œ y\u{9C}", "P>|xterm(380)\u{1B}\\",
      "P1$r0m\u{1B}\\", "P1+r436f=323536\u{1B}\\", "P0+r\u{1B}\\", "P!|00000000\u{1B}\\", "_Gi=1;OK\u{1B}\\",
      "^y\r\u{1B}\\",
      "X y \r\n\u{1B}\\", "(B", ")0", "#8", "%G", " F", "y", "é", "N", "=", ">", "\r", "\n",
    ].map { Array("\u{1B}\($0)".utf8) }
    + [
      [0x9B, 0x3C, 0x33, 0x3B, 0x34, 0x4D], [0x9D, 0x79, 0x9C], [0x1B, 0x5B, 0x4D, 0x20, 0xFF, 0xE9], [0xC2, 0x85],
    ]

  /// Sequences of every form, besides those of keys.
  private static func generated(_ count: Int, _ random: inout SeededGenerator) -> [[UInt8]] {
    func bytes(_ range: ClosedRange<UInt8>, _ counts: ClosedRange<Int>) -> [UInt8] {
      (0..<Int.random(in: counts, using: &random)).map { _ in UInt8.random(in: range, using: &random) }
    }
    return (0..<count).map { index in
      switch index % 4 {
      case 0:
        return Array("\u{1B}[".utf8) + bytes(0x3C...0x3F, 1...1) + bytes(0x30...0x3F, 0...9) + bytes(0x40...0x7E, 1...1)
      case 1:
        return Array("\u{1B}[".utf8) + bytes(0x30...0x3B, 0...9) + bytes(0x20...0x2F, 1...2) + bytes(0x40...0x7E, 1...1)
      case 2: return Array("\u{1B}O".utf8) + bytes(0x30...0x3B, 0...4) + bytes(0x50...0x7E, 1...1)
      default:
        let end = Bool.random(using: &random) ? "\u{1B}\\" : "\u{9C}"
        return [0x1B] + [Array("P]_^X".utf8).randomElement(using: &random)!]
          + bytes(0x08...0x1A, 0...9)
          .filter { $0 != 0x03 } + bytes(0x20...0x7E, 0...20) + Array(end.utf8)
      }
    }
  }

  /// Each kind of control with the focus, and a dialog that has none.
  private static let dialogs: [TerminalDialog] = {
    let options = (1...40).map { Field.Option("y\($0)") }
    let fields = [
      Field("a"), Field("a", kind: .multiline), Field("a", kind: .password), Field("a", kind: .integer),
      Field("a", kind: .boolean), Field("a", kind: .choice, options: ["y", "1", "M"]),
      Field("a", kind: .choice, options: options), Field("a", kind: .choices, options: ["y", "1", "M"]),
    ]
    var read = Prompt(title: "T")
    read.context = [.text("x")]
    return fields.map { TerminalDialog(Prompt(title: "T", fields: [$0])) }
      + [TerminalDialog(Prompt(title: "T")), TerminalDialog(read)]
  }()

  @Test func `No sequence that is no key answers or changes a value, wherever a slow line cuts it`() {
    var random = SeededGenerator(seed: Self.seed)
    let sequences = Self.recorded + Self.generated(300 - Self.recorded.count, &random)
    #expect(sequences.count == 300)
    for sequence in sequences {
      // Escape and Enter that come one after the other are two keys.
      let cuts = [[0x1B, 0x0D], [0x1B, 0x0A]].contains(sequence) ? 0..<1 : sequence.indices
      for cut in cuts {
        var reader = KeyReader()
        let keys = reader.keys(sequence[..<cut]) + reader.keys(sequence[cut...], at: 90)
        #expect(keys.allSatisfy { $0 == .refused }, "\(sequence) at \(cut): \(keys)")
        for dialog in Self.dialogs {
          var pressed = dialog
          for key in keys where key != .refused { #expect(pressed.press(key) == nil) }
          #expect(pressed.answering.inputs.texts == dialog.answering.inputs.texts)
        }
        // And what is pressed next is what was pressed.
        let next = reader.keys("\t".utf8, at: 2000)
        #expect(next == [.tab], "\(sequence) at \(cut): \(next)")
      }
    }
  }

  // MARK: Traces

  /// What came from a terminal, by milliseconds, and when the dialog was drawn.
  private struct Trace {
    var bytes: [(time: Int, bytes: [UInt8])] = []
    let drawn: Int

    init(_ random: inout SeededGenerator) {
      drawn = Int.random(in: 0...2000, using: &random)
      let early = 0...drawn + 299
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        switch Int.random(in: 0...4, using: &random) {
        // Typed ahead, once or twice.
        case 0:
          let key = Array(["\r", " ", "\n", "y", "y\r", "\t\r", "1\r", "\u{1B}OM"].randomElement(using: &random)!.utf8)
          let time = Int.random(in: early, using: &random)
          bytes += [(time, key)] + (Bool.random(using: &random) ? [(min(time + 150, drawn + 299), key)] : [])
        // Held down since before.
        case 1:
          let key: UInt8 = [0x0D, 0x20, 0x09].randomElement(using: &random)!
          let times = stride(from: Int.random(in: early, using: &random), to: drawn + 3000, by: 33)
          bytes += times.prefix(Int.random(in: 2...60, using: &random)).map { ($0, [key]) }
        case 2:
          let pasted = Array("\u{1B}[200~yes\n\n \u{1B}[201~".utf8), time = Int.random(in: early, using: &random)
          bytes += [(time, Array(pasted[..<9])), (time + 40, Array(pasted[9...]))]
        // A mouse, or a reply; they come late too.
        default:
          let sequence = recorded.dropLast(6).randomElement(using: &random)!
          let time = Int.random(in: 0...drawn + 2000, using: &random)
          let cut = Int.random(in: 0...sequence.count, using: &random)
          bytes += [(time, Array(sequence[..<cut])), (time, Array(sequence[cut...]))]
        }
      }
      bytes.sort { $0.time < $1.time }
    }
  }

  /// The answers that a dialog gets from these bytes, read as they come and twenty times a second.
  private static func endings(_ prompt: Prompt, _ trace: Trace) -> [DialogEnding] {
    var reader = KeyReader(), clock = PressClock(), dialog = TerminalDialog(prompt), endings: [DialogEnding] = []
    let end = (trace.bytes.last?.time ?? 0) + 1200
    let all = trace.bytes + stride(from: 0, through: end, by: 50).map { ($0, []) }
    for (time, bytes) in all.enumerated().sorted(by: { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }).map(
      \.element)
    {
      if time >= trace.drawn { clock.appeared(at: start + .milliseconds(trace.drawn)) }
      for press in reader.read(bytes, at: start + .milliseconds(time))
      where clock.counts(press) && press.key != .refused {
        if case .send(let ending)? = dialog.press(press.key) { endings.append(ending) }
      }
    }
    return endings
  }

  @Test func `Of 200 accidents none is an answer, and what is meant 0.6 s later is one`() {
    var random = SeededGenerator(seed: Self.seed)
    var much = Prompt(title: "Delete?")
    much.context = [.text("x")]
    for number in 1...200 {
      var trace = Trace(&random)
      for prompt in [Prompt(title: "Deploy?"), much] {
        #expect(Self.endings(prompt, trace) == [], "\(number): \(trace)")
      }
      let last = max(trace.drawn, trace.bytes.last?.time ?? 0) + 600
      trace.bytes += [(last, [0x0D])]
      #expect(Self.endings(Prompt(title: "Deploy?"), trace) == [.ok], "\(number): \(trace)")
      trace.bytes[trace.bytes.count - 1] = (last, Array("\u{1B}[C\u{1B}[C\r".utf8))
      #expect(Self.endings(much, trace) == [.ok], "\(number): \(trace)")
    }
  }

  @Test func `What began too early does not count, but Ctrl-C does`() {
    for (drawn, began, counts) in [
      (nil, 0, false), (0, 0, false), (0, 299, false), (0, 300, true), (1000, 900, false), (1000, 1300, true),
    ] as [(Int?, Int, Bool)] {
      var clock = PressClock()
      if let drawn { clock.appeared(at: start + .milliseconds(drawn)) }
      let admitted = [(Key.interrupt, 0), (.suspend, 0), (.enter, began)].map { key, time in
        clock.counts(Press(key, start + .milliseconds(time)))
      }
      #expect(admitted == [true, true, counts], "\(String(describing: drawn)) \(began)")
    }
    // A second drawing changes nothing.
    var clock = PressClock()
    for time in [0, 200] { clock.appeared(at: start + .milliseconds(time)) }
    #expect(clock.counts(start + .milliseconds(300)) == true)
  }
}

extension Inputs {
  fileprivate var texts: [[String]] { ["a"].map { self[$0]?.texts ?? [] } }
}
