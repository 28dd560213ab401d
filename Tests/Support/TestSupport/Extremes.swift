package enum Extremes {
  /// The ends of every type of numbers and their neighbours, and what no type holds.
  package static let numbers: [String] = {
    let integers = [7, 8, 15, 16, 31, 32, 53, 63, 64].flatMap { bits -> [Int128] in
      let power = Int128(1) << Int128(bits)
      return [power - 1, power, power + 1]
    }
    let doubles = [
      "1e308", "1.7976931348623157e308", "1.7976931348623159e308", "1e309", "9e999", "1e-308", "5e-324", "1e-400",
    ]
    let decimals = ["0", "0.0", "0.5", String(repeating: "9", count: 34), String(repeating: "9", count: 35)]
    let all = integers.map { "\($0)" } + ["\(Int128.max)", "\(UInt128.max)"] + doubles + decimals
    return all + all.map { "-" + $0 }
  }()
}
