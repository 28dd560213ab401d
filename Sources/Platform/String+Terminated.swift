extension String {
  /// The characters before the first zero, as C ends a text.
  package init(terminated text: [CChar]) {
    self.init(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
