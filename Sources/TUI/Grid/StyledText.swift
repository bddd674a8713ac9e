/// A piece of text with one look.
package struct Segment: Hashable, Sendable {
  package var text: String
  package var role: Role
  package var attributes: CellAttributes

  package init(_ text: String, _ role: Role = .normal, attributes: CellAttributes = []) {
    self.text = text
    self.role = role
    self.attributes = attributes
  }
}

/// A line of text whose pieces differ in look.
package struct StyledText: Hashable, Sendable {
  package var segments: [Segment]

  package init(_ segments: [Segment] = []) {
    self.segments = segments
  }

  package init(_ text: String, _ role: Role = .normal, attributes: CellAttributes = []) {
    segments = [Segment(text, role, attributes: attributes)]
  }

  package var columns: Int {
    var sum = 0
    for segment in segments { sum += TextWidth.columns(of: segment.text) }
    return sum
  }

  package mutating func append(
    _ text: String,
    _ role: Role = .normal,
    attributes: CellAttributes = []
  ) {
    segments.append(Segment(text, role, attributes: attributes))
  }

  package static func + (left: StyledText, right: StyledText) -> StyledText {
    StyledText(left.segments + right.segments)
  }
}
