/// Where in the list of findings those about one stream stand, and those about one leak, in the list's order.
///
/// Whoever looks at one visit would else go through the findings of all.
struct FindingPlaces: Sendable {
  /// Ends of the parts of `places`: streams by their index, then leaks by theirs.
  private var ends: [UInt32] = []
  private var places: [UInt32] = []
  private var streams = 0

  init() {}

  init(_ list: [Finding], leaks: Int) {
    streams = list.reduce(0) { max($0, ($1.subject.stream ?? -1) + 1) }
    ends = [UInt32](repeating: 0, count: streams + leaks)
    for finding in list { if let part = part(finding.subject) { ends[part] += 1 } }
    var sum: UInt32 = 0
    for part in ends.indices {
      sum += ends[part]
      ends[part] = sum
    }
    places = [UInt32](repeating: 0, count: Int(sum))
    // From behind, so that each part is filled from its end and `ends` become its beginnings.
    var next = ends
    for (place, finding) in list.enumerated().reversed() {
      guard let part = part(finding.subject) else { continue }
      next[part] -= 1
      places[Int(next[part])] = UInt32(place)
    }
  }

  func ofStream(_ stream: Int) -> ArraySlice<UInt32> {
    stream < streams ? slice(stream) : []
  }

  func ofLeak(_ leak: Int) -> ArraySlice<UInt32> { slice(streams + leak) }

  private func slice(_ part: Int) -> ArraySlice<UInt32> {
    guard part < ends.count else { return [] }
    return places[(part == 0 ? 0 : Int(ends[part - 1]))..<Int(ends[part])]
  }

  private func part(_ subject: FindingSubject) -> Int? {
    if case .leak(let leak) = subject { return streams + leak }
    return subject.stream
  }
}

extension FindingSubject {
  /// Index into `Overview.streams`; nil for what is about several or, as leaks, has its own order.
  fileprivate var stream: Int? {
    switch self {
    case .session(let stream, _), .hang(let stream, _), .termination(let stream, _),
      .stream(let stream):
      stream
    case .screen, .fragment, .startup, .leak, .ledger, .span, .budget: nil
    }
  }
}
