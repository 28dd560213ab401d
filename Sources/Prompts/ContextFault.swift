/// A fault in the context of a prompt, with its facts.
enum ContextFault: FaultCase {
  case contextTooLong(Int, limit: Int), imagesTooLarge(Int, limit: Int), tooManyPixels(Int)
  /// Of a picture that is too large, or whose header does not say its size.
  case pictureSize((width: Int, height: Int)?)
  case emptyBlock(example: String), twoBlocks(String, String), goesWith(String, String), linkNotAURL, notAnImage,
    noColumns
  case cells(Int, columns: Int)

  var sentence: FaultSentence {
    switch self {
    case .contextTooLong(let count, let limit):
      .init("context-too-long", "`context` has \(count) bytes as JSON", "keep to \(limit), and link to the rest")
    case .imagesTooLarge(let count, let limit):
      .init("images-too-large", "the images have \(count) bytes", "keep to \(limit) in all, and link to the rest")
    case .tooManyPixels(let count):
      .init(
        "too-many-pixels", "the images have \(count) pixels",
        "keep to \(PictureSize.pixelLimit) in all, and link to the rest")
    case .pictureSize(let size?):
      .init(
        "picture-size", "this picture has \(size.width) × \(size.height) pixels",
        "keep to \(PictureSize.longestSide) a side and \(PictureSize.pixelLimit) in all: make it smaller")
    case .pictureSize(nil):
      .init(
        "picture-size", "this picture's header does not say how wide and high it is",
        "save it again as PNG, JPEG or WebP")
    case .emptyBlock(let example):
      .init("empty-block", "a block needs one of `text`, `code`, `diff`, `table`, `link` and `image`", example)
    case .twoBlocks(let one, let other):
      .init("two-blocks", "a block is either `\(one)` or `\(other)`", "make two blocks of it")
    case .goesWith(let kind, let key): .init("goes-with", "`\(key)` goes with `\(kind)`", "remove it")
    case .linkNotAURL:
      .init("link-not-aurl", "`link` is not an http or https URL", "write it in full, like https://example.com/42")
    case .notAnImage:
      .init(
        "not-an-image", "`image` is not a PNG, JPEG or WebP as a data URL",
        "write the file in Base64, like `data:image/png;base64,iVBORw0KGgo...`; "
          + "its bytes must be of the type it names")
    case .noColumns: .init("no-columns", "a table needs a column", "name at least one")
    case .cells(let count, let columns):
      .init("cells", "this row has \(count) cells, and there are \(columns) columns", "give each column one")
    }
  }
}
