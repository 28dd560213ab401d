extension Array {
  /// Binary search: the index of the first element with a property that all elements after it have too, or the array's
  /// end if none has it.
  @inlinable
  func partitioningIndex(where hasProperty: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if hasProperty(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
