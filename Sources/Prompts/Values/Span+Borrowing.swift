extension Span where Element: AnyObject {
  /// Calls `body` with an element without counting a reference to it: what the span lies in keeps it.
  ///
  /// A count is an atomic write, and a verdict would have one for each field and each rule.
  @inline(__always)
  func borrow<Result>(_ index: Int, _ body: (Element) -> Result) -> Result {
    Unmanaged.passUnretained(self[index])._withUnsafeGuaranteedRef(body)
  }
}
