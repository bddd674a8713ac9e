/// The plans of all messages, laid out so that a field is found by its number without a search.
final class OTLPPlanTable {
  /// Where a message's fields lie.
  struct Plan {
    var first: Int
    var count: Int
    /// The index of its member among alternatives is below this; they exclude each other.
    var hasChoice: Bool
  }

  static let unknown: UInt8 = 0xFF
  /// Field numbers below this are found directly.
  private static let numbers = 17
  /// Scopes of senders of 2022.
  private static let oldScopes = 1000

  private let plans: UnsafeMutablePointer<Plan>
  private let fields: UnsafeMutablePointer<OTLPField>
  /// By message and number.
  private let slots: UnsafeMutablePointer<UInt8>
  private let fieldCount: Int

  init() {
    let messages = OTLPMessage.allCases
    let all = messages.flatMap(\.fields)
    fieldCount = all.count
    plans = .allocate(capacity: messages.count)
    fields = .allocate(capacity: all.count)
    slots = .allocate(capacity: messages.count * (Self.numbers + 1))
    slots.initialize(repeating: Self.unknown, count: messages.count * (Self.numbers + 1))
    var first = 0
    for message in messages {
      let own = message.fields
      let hasChoice = own.contains { $0.presence == .choice }
      let plan = Plan(first: first, count: own.count, hasChoice: hasChoice)
      (plans + Int(message.rawValue)).initialize(to: plan)
      for (slot, field) in own.enumerated() {
        (fields + first + slot).initialize(to: field)
        slots[Self.index(message, UInt32(field.number))] = UInt8(slot)
      }
      first += own.count
    }
  }

  deinit {
    plans.deallocate()
    fields.deallocate()
    slots.deallocate()
  }

  @inline(__always)
  private static func index(_ message: OTLPMessage, _ number: UInt32) -> Int {
    let column =
      number < numbers ? Int(number) : number == oldScopes ? numbers : 0
    return Int(message.rawValue) &* (numbers &+ 1) &+ column
  }

  @inline(__always)
  func plan(of message: OTLPMessage) -> Plan { plans[Int(message.rawValue)] }

  /// The place of a field within its message; `unknown` for numbers that it does not have.
  @inline(__always)
  func slot(_ message: OTLPMessage, _ number: UInt32) -> UInt8 {
    slots[Self.index(message, number)]
  }

  @inline(__always)
  func field(_ plan: Plan, _ slot: Int) -> OTLPField { fields[plan.first &+ slot] }
}

extension OTLPForm {
  /// Whether a value of this form comes with the wire type; lists of numbers come packed or one by one.
  @inline(__always)
  func fits(_ wire: ProtobufField.Wire) -> Bool {
    switch self {
    case .text, .texts, .traceID, .spanID, .base64, .message, .lastMessage, .list, .attributes:
      wire == .bytes
    case .uint32, .int32, .sint32, .bool, .int64: wire == .varint
    case .fixed32: wire == .fixed32
    case .fixed64, .sfixed64, .double: wire == .fixed64
    case .fixed64List, .doubleList: wire == .fixed64 || wire == .bytes
    case .uint64List: wire == .varint || wire == .bytes
    }
  }
}
