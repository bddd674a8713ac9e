/// By what the figures of screens and fragments are parted, beside app and name.
package enum Grouping: Hashable, Sendable {
  /// `service.version`.
  case version
  /// `device.model.identifier`.
  case device
  /// `os.name` and `os.version`.
  case system
  /// An attribute that the host added, to the record or else to its resource.
  case attribute(String)

  /// Nil for a word that names none.
  package init?(_ word: String) {
    switch word {
    case "version": self = .version
    case "device": self = .device
    case "os": self = .system
    default:
      let prefix = FilterKey.attribute.rawValue
      guard word.hasPrefix(prefix), word.count > prefix.count else { return nil }
      self = .attribute(String(word.dropFirst(prefix.count)))
    }
  }

  /// What it parts by, in words.
  var subject: String {
    switch self {
    case .version, .device, .system: word
    case .attribute(let name): name
    }
  }

  /// Why figures cannot be parted by what a word names, though it is known; nil where they can.
  package static func objection(to word: String) -> String? {
    guard case .attribute(let name) = Grouping(word) else { return nil }
    if let other = StandardAttribute.replacement(for: name) { return other }
    guard let standard = StandardAttribute(rawValue: name), !standard.isText else { return nil }
    return "\(name) is a measurement, not a property to part by: ask for it with --filter"
  }

  /// The word that names it on the command line.
  package var word: String {
    switch self {
    case .version: "version"
    case .device: "device"
    case .system: "os"
    case .attribute(let name): FilterKey.attribute.rawValue + name
    }
  }
}

extension SessionModel {
  /// Everything that figures can be parted by in this data: attributes of the host by their names.
  package var groupings: [Grouping] {
    [.version, .device, .system]
      + attributeKeys.map { .attribute(text($0)) }.sorted { $0.word < $1.word }
  }
}

extension SessionModel {
  /// What the rows behind figures share, in words; nil where figures are not parted or lack it.
  package func groupText(_ figures: ScreenFigures) -> String? {
    guard let group = figures.group else { return nil }
    if group == .overflow { return "other" }
    let parts = [figures.groupPrefix, group].filter(\.isPresent).map(text)
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }
}

extension SessionModel {
  /// The same for people: `(no version)` for what lacks it.
  ///
  /// A value that could be taken for that, or for nothing, is quoted.
  package func groupLabel(_ figures: ScreenFigures) -> String {
    let missing = "(no \(options.groupBy?.subject ?? "value"))"
    guard let text = groupText(figures) else { return missing }
    if figures.group == .overflow { return text }
    let isPlain = ![missing, "other", ""].contains(text) && !text.hasPrefix("\"")
    return isPlain ? text : "\"\(text)\""
  }
}

extension Symbol {
  /// Stands for the values that were not kept, as names beyond the limit share one row.
  package static let overflow = Symbol(.max)
}

/// What the rows of one part share.
struct GroupValue: Hashable, Sendable {
  var prefix = Symbol.none
  var value: Symbol
}

/// Parts rows by one property; answers for what many rows share are kept.
struct RowGrouping {
  private let grouping: Grouping
  private let model: SessionModel
  private var ofSets: [AttributeSetID: Symbol] = [:]
  /// The attribute where rows keep it.
  private let standard: StandardAttribute?

  init(_ grouping: Grouping, _ model: SessionModel) {
    if case .attribute(let name) = grouping {
      standard = StandardAttribute(rawValue: name)
    } else {
      standard = nil
    }
    self.grouping = grouping
    self.model = model
  }

  /// Rows by their value, `Symbol.none` for those without it, each part in the order of arrival.
  mutating func parts(
    _ rows: ContiguousArray<UInt32>
  ) -> [(value: GroupValue, rows: ContiguousArray<UInt32>)] {
    var places: [GroupValue: Int] = [:]
    var parts: [(value: GroupValue, rows: ContiguousArray<UInt32>)] = []
    for number in rows {
      let value = value(of: model.store[Int(number)])
      if let place = places[value] {
        parts[place].rows.append(number)
      } else {
        places[value] = parts.count
        parts.append((value, [number]))
      }
    }
    return parts
  }

  private mutating func value(of row: RecordRow) -> GroupValue {
    let resource = model.resource(row.resource)
    switch grouping {
    case .version: return GroupValue(value: resource.version)
    case .device: return GroupValue(value: resource.deviceModel)
    case .system: return GroupValue(prefix: resource.osName, value: resource.osVersion)
    case .attribute(let name):
      for set in [row.attributes, resource.attributes] {
        let value = value(of: name, in: set)
        if value.isPresent { return GroupValue(value: value) }
      }
      if let standard { return GroupValue(value: standard.symbol(in: row, of: model)) }
      // It may or may not have been among those that were not kept.
      let isUnknown = row.attributes == .overflow || resource.attributes == .overflow
      return GroupValue(value: isUnknown ? .overflow : .none)
    }
  }

  private mutating func value(of name: String, in set: AttributeSetID) -> Symbol {
    if let known = ofSets[set] { return known }
    let attribute = model.attributes(of: set).first { model.text($0.key) == name }
    let value = attribute?.value ?? .none
    ofSets[set] = value
    return value
  }
}
