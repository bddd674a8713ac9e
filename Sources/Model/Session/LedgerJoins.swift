/// A ledger that belongs to a device because the user says so.
package struct LedgerJoin: Equatable, Sendable {
  /// The ledger's file, whole or from any folder of its path on.
  package var ledger: String
  /// `device.id`, or what else tells the device's stream from others.
  package var device: String

  package init(ledger: String, device: String) {
    self.ledger = ledger
    self.device = device
  }
}

extension SessionModel {
  /// Ledgers that join a device stream: those told to, and those that exactly one overlaps in time.
  func ledgerJoins() -> [StreamID: [StreamID]] {
    var joins: [StreamID: [StreamID]] = [:]
    guard streamTable.hasLedgers else { return joins }
    for number in streams.indices where streams[number].isLedger {
      let ledger = streams[number]
      let told = options.joins.first { ledger.isNamed($0.ledger) }
      let found = told.map { devices(named: $0.device) } ?? devices(overlapping: ledger)
      guard found.count == 1 else { continue }
      joins[StreamID(UInt32(found[0])), default: []].append(StreamID(UInt32(number)))
    }
    return joins
  }

  /// Why joins that were told did not come about, a sentence each.
  package var failedJoins: [String] {
    options.joins.compactMap { join in
      let name = "\(join.ledger)=\(join.device)"
      guard streams.contains(where: { $0.isLedger && $0.isNamed(join.ledger) }) else {
        return "--join \(name): no ledger of that name in the data"
      }
      switch devices(named: join.device).count {
      case 1: return nil
      case 0: return "--join \(name): no device of that name in the data"
      case let count: return "--join \(name): \(count) streams of that device; which one is unclear"
      }
    }
  }

  private func devices(named name: String) -> [Int] {
    streams.indices.filter { number in
      let key = streams[number].key
      return key.kind != .ledger && [key.first, key.second].contains { text($0) == name }
    }
  }

  private func devices(overlapping ledger: DeviceStream) -> [Int] {
    streams.indices.filter { !streams[$0].isLedger && streams[$0].overlaps(ledger) }
  }
}

extension DeviceStream {
  fileprivate func isNamed(_ name: String) -> Bool {
    guard let ledgerName else { return false }
    return ledgerName == name || ledgerName.hasSuffix("/" + name)
  }

  fileprivate func overlaps(_ other: DeviceStream) -> Bool {
    oldestStart <= other.newestEnd && other.oldestStart <= newestEnd
  }
}
