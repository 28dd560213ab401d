internal import Platform
internal import Prompts

/// The arguments of a call. Null counts as left out, and a text that is JSON of the argument's type as that JSON: some
/// hosts fill in every key, and some send what is no string as its text.
struct ToolArguments {
  let members: [JSON.Member]
  /// The id of an ask; empty for tools that take none.
  let id: String
  /// Seconds to wait, or `nil` if they were left out.
  let wait: Int?
  let key: String?
  let withdrawsIfCancelled: Bool
  /// What came of an answer; `nil` for tools that do not say.
  let result: AskResult?

  init(_ json: JSON?, of tool: Tool) throws(PlainError) {
    let json = tool.read(json ?? [:]), keys = tool.arguments
    var reading = Reading(budget: .form)
    do throws(InlineFaults) {
      (members, id, wait, key, withdrawsIfCancelled, result) = try reading.whole {
        reading -> ([JSON.Member], String, Int?, String?, Bool, AskResult?)? in
        let remedy = keys.isEmpty ? FaultRow("write-no-arguments") : FaultRow("write-arguments")
        guard let map = reading.mapping(Node(json), as: tool.rawValue, keys: keys, remedy: remedy)?.given else {
          return nil
        }
        let returned = FaultRow("write-ask-id")
        let id = keys.contains("id") ? reading.string("id", in: map, of: tool.rawValue, remedy: returned) : nil
        let wait = reading.count(map["wait"], "wait", in: 0...3600), key = reading.string(map["key"], "key")
        if key == "" { reading.report("empty-key", at: map.place) }
        let withdraws = reading.bool(map["withdrawIfCancelled"], "withdrawIfCancelled") ?? false
        let result = tool == .reportResult ? AskResult(map, &reading) : nil
        return (map.keys.compactMap { key in json[key].map { .init(key, $0) } }, id ?? "", wait, key, withdraws, result)
      }
    } catch {
      throw PlainError(error.entries.map(\.sentence).joined(separator: "\n"))
    }
  }

  subscript(name: String) -> JSON? { members.first { $0.key == name }?.value }
}
