import TestSupport
import Testing

@testable import Prompts

@Suite(.enabled(if: NodeProcess.isAvailable)) struct `Browser and server` {
  @Test(arguments: [1, 2] as [UInt64])
  func `give the same verdict on random texts by random patterns`(seed: UInt64) throws {
    var generator = PatternGenerator(seed: seed)
    let samples = (0..<1500).map { _ in generator.sample() }
    let judged = try NodeJudge.judge(samples)
    #expect(judged.count == samples.count)
    var compared = 0
    for (sample, verdicts) in zip(samples, judged) {
      guard let pattern = try? Pattern(sample.pattern, ignoreCase: sample.ignoreCase) else { continue }
      #expect(verdicts == sample.texts.map(pattern.matches), "\(sample)")
      compared += sample.texts.count
    }
    #expect(compared > 8000)
  }

  @Test(arguments: [3, 4] as [UInt64])
  func `agree which patterns are none`(seed: UInt64) throws {
    var generator = PatternGenerator(seed: seed)
    let samples = (0..<1500).map { _ in
      var sample = generator.damagedPattern()
      // What is accepted reaches browsers as it is served.
      if let pattern = try? Pattern(sample.pattern, ignoreCase: sample.ignoreCase) { sample.pattern = pattern.source }
      return sample
    }
    let judged = try NodeJudge.judge(samples)
    #expect(judged.count == samples.count)
    for (sample, verdicts) in zip(samples, judged) {
      do throws(PatternFault) {
        _ = try Pattern(sample.pattern, ignoreCase: sample.ignoreCase)
        #expect(verdicts != nil, "accepted, but JavaScript does not compile \(sample)")
      } catch {
        #expect(verdicts == nil || error.isStricterThanJavaScript, "\(error) \(sample)")
      }
    }
  }

  @Test func `fold the same code points together`() throws {
    let samples = CaseFolding.orbits.map { orbit in
      PatternSample(
        pattern: "[\\u{\(String(orbit[0], radix: 16))}]", ignoreCase: true,
        texts: (orbit + [orbit[0] - 1, orbit[0] + 1]).compactMap(Unicode.Scalar.init).map { String($0) })
    }
    for (sample, verdicts) in zip(samples, try NodeJudge.judge(samples)) {
      let pattern = try Pattern(sample.pattern, ignoreCase: true)
      // A Node of an older Unicode version does not know the young ones, which is why the server decides them.
      if pattern.decidedBy(upTo: 1) == .server { continue }
      #expect(verdicts == sample.texts.map(pattern.matches), "\(sample)")
    }
  }

  @Test(
    arguments: [
      ".", #"\d"#, #"\w"#, #"\s"#, #"\D"#, #"\W"#, #"\S"#, #"[^\W]"#, #"[\W_]"#, #"[^\s\d]"#, "[^a-z]", "[k-s]", "[^]",
    ],
    [false, true])
  func `know the same members of the class escapes`(source: String, ignoreCase: Bool) throws {
    let scalars = (Array(0...0x3100) + CaseFolding.orbits.joined()).compactMap(Unicode.Scalar.init)
    let sample = PatternSample(pattern: source, ignoreCase: ignoreCase, texts: scalars.map { String($0) })
    let pattern = try Pattern(source, ignoreCase: ignoreCase)
    let verdicts = try #require(try NodeJudge.judge([sample]).first ?? nil)
    let differing = zip(sample.texts, verdicts).filter { pattern.matches($0) != $1 }.map(\.0)
    #expect(differing.isEmpty)
  }
}

extension PatternFault {
  /// Whether JavaScript may compile what is refused for this reason.
  fileprivate var isStricterThanJavaScript: Bool {
    [
      "too-long", "too-large", "lookaround", "back-reference", "inline-flags", "boundary-ignoring-case",
      "bound-too-large", "nested-bounds-too-large", "group-name", "lone-surrogate", "unknown-property",
      "control-escape",
    ].contains { row.id == "pattern-\($0)" }
  }
}
