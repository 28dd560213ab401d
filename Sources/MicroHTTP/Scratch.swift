/// Elements in memory that is used again and again: emptying it and filling it
/// anew costs a copy of what comes in and nothing else.
///
/// An `Array` would look with every change whether it is shared, and takes a
/// detour to be emptied; together they cost a request more than its parsing.
struct Scratch<Element: BitwiseCopyable>: ~Copyable {
  private var memory: UnsafeMutableBufferPointer<Element>
  private(set) var count = 0

  /// - Parameter capacity: how many elements there is room for at first.
  init(capacity: Int) { memory = .allocate(capacity: max(capacity, 1)) }

  deinit { memory.deallocate() }

  /// What is in it, until the next change.
  var elements: UnsafeBufferPointer<Element> { UnsafeBufferPointer(rebasing: memory[..<count]) }

  mutating func removeAll() { count = 0 }

  mutating func append(_ element: Element) {
    makeRoom(for: 1)
    memory.initializeElement(at: count, to: element)
    count += 1
  }

  mutating func append(contentsOf elements: UnsafeBufferPointer<Element>) {
    guard let source = elements.baseAddress, let target = memory.baseAddress else { return }
    guard count + elements.count <= memory.count else {
      makeRoom(for: elements.count)
      return append(contentsOf: elements)
    }
    (target + count).initialize(from: source, count: elements.count)
    count += elements.count
  }

  private mutating func makeRoom(for more: Int) {
    guard count + more > memory.count else { return }
    let larger = UnsafeMutableBufferPointer<Element>.allocate(capacity: max(memory.count * 2, count + more))
    _ = larger.update(fromContentsOf: memory[..<count])
    memory.deallocate()
    memory = larger
  }
}
