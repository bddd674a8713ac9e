import Model

/// Signals and subjects of spans by the symbols of their name, screen and fragment.
struct SignalCache: ~Copyable {
  struct Key {
    var name = Symbol.none
    var screen = Symbol.none
    var fragment = Symbol.none

    /// By numbers, since `Symbol`'s own equality is a call into another module.
    @inline(__always)
    func isSame(as other: Key) -> Bool {
      name.rawValue == other.name.rawValue && screen.rawValue == other.screen.rawValue
        && fragment.rawValue == other.fragment.rawValue
    }
  }

  struct Entry {
    var signal = Signal.otherSpan
    var subject = Symbol.none
    var isPending = false
  }

  private static let mask = 4095
  private let slots: UnsafeMutablePointer<(key: Key, entry: Entry)>

  /// By name: which keys are not held.
  private let names: UnsafeMutablePointer<(name: UInt32, keys: UInt64)>

  init() {
    names = .allocate(capacity: Self.mask + 1)
    names.initialize(repeating: (0, 0), count: Self.mask + 1)
    slots = .allocate(capacity: Self.mask + 1)
    slots.initialize(repeating: (Key(), Entry()), count: Self.mask + 1)
  }

  deinit {
    slots.deallocate()
    names.deallocate()
  }

  /// What `remember` was told of the name last; nil when it was another one's.
  @inline(__always)
  func reserved(of name: Symbol) -> AttributeKeySet? {
    let slot = names[Int(name.rawValue) & Self.mask]
    guard slot.name == name.rawValue else { return nil }
    return AttributeKeySet(rawValue: slot.keys)
  }

  func remember(_ name: Symbol, reserved: AttributeKeySet) {
    names[Int(name.rawValue) & Self.mask] = (name.rawValue, reserved.rawValue)
  }

  @inline(__always)
  private func index(_ key: Key) -> Int {
    let mixed =
      UInt64(key.name.rawValue) &* ByteHash.secret0 ^ UInt64(key.screen.rawValue)
      &* ByteHash.secret1 ^ UInt64(key.fragment.rawValue) &* ByteHash.secret2
    return Int(truncatingIfNeeded: mixed &>> 40) & Self.mask
  }

  @inline(__always)
  func find(_ key: Key) -> Entry? {
    let slot = index(key)
    return slots[slot].key.isSame(as: key) ? slots[slot].entry : nil
  }

  /// Keeps the entry in place of another one that shares its slot.
  func remember(_ key: Key, _ entry: Entry) {
    slots[index(key)] = (key, entry)
  }
}
