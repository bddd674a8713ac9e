import CPlatform
import Model
import TUI

/// Turns a zone's name into the list of its offset changes.
enum Zone {
  /// Nil for a name that is no zone.
  static func offsets(_ name: String?) -> ZoneOffsets? {
    switch name {
    case nil, "local":
      // TZ unset is UTC, not the machine's zone: reports of two machines then agree.
      return getenv("TZ") == nil ? .utc : changes()
    case "utc", "UTC", "Z": return .utc
    case .some(let name):
      if let fixed = fixedOffset(name) { return ZoneOffsets(initial: fixed) }
      guard isKnown(name) else { return nil }
      let before = getenv("TZ").map { String(cString: $0) }
      setenv("TZ", name, 1)
      defer {
        if let before { setenv("TZ", before, 1) } else { unsetenv("TZ") }
        tzset()
      }
      return changes()
    }
  }

  /// Seconds east of UTC of `+05:30`, `-0800` or `+5`; nil for other forms.
  private static func fixedOffset(_ text: String) -> Int? {
    guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
    let digits = text.dropFirst().filter { $0 != ":" }
    guard !digits.isEmpty, digits.count <= 4, let value = Int(digits) else { return nil }
    let (hours, minutes) = digits.count <= 2 ? (value, 0) : (value / 100, value % 100)
    guard hours <= 18, minutes < 60 else { return nil }
    return (sign == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)
  }

  private static func isKnown(_ name: String) -> Bool {
    guard !name.hasPrefix("/"), !name.contains("..") else { return false }
    let folders = ["/usr/share/zoneinfo", "/var/db/timezone/zoneinfo"]
    return folders.contains { access("\($0)/\(name)", R_OK) == 0 }
  }

  private static let firstSecond: Int64 = 0
  /// 2100-01-01.
  private static let lastSecond: Int64 = 4_102_444_800
  private static let step: Int64 = 86_400 * 14

  /// Offsets of the zone in TZ, found by asking the C library every two weeks and halving between.
  private static func changes() -> ZoneOffsets {
    tzset()
    let initial = offset(at: firstSecond)
    var changes: [ZoneOffsets.Change] = []
    var known = initial
    var second = firstSecond
    while second < lastSecond {
      let next = min(second + step, lastSecond)
      let then = offset(at: next)
      if then != known {
        var low = second
        var high = next
        while high - low > 1 {
          let middle = (low + high) / 2
          if offset(at: middle) == known { low = middle } else { high = middle }
        }
        changes.append(ZoneOffsets.Change(from: Timestamp(seconds: high), offset: then))
        known = then
      }
      second = next
    }
    return ZoneOffsets(initial: initial, changes: changes)
  }

  private static func offset(at second: Int64) -> Int {
    var time = time_t(second)
    var local = tm()
    localtime_r(&time, &local)
    return Int(local.tm_gmtoff)
  }
}
