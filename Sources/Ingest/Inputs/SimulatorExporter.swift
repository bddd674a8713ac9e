import Model

/// The way from an app to the collector's file: batches, the network, lost answers.
struct SimulatorExporter {
  /// Seconds between two exports of opentelemetry-swift's batch processors.
  private static let batchDelay = 5.0

  private let collector: SimulatorCollector
  private var random: SimulatorRandom

  init(origin: Timestamp, random: SimulatorRandom) {
    collector = SimulatorCollector(origin: origin)
    self.random = random
  }

  /// The requests of one process as the collector writes them, in order.
  ///
  /// The first request of spans after `resendingAfter` is written, but the app never learns of it: it
  /// sends the same spans again, in front of the next ones.
  mutating func deliveries(
    of run: SimulatorRun,
    resendingAfter lossTime: Double?
  ) -> [SimulatorDelivery] {
    var deliveries: [SimulatorDelivery] = []
    var unacknowledged: [SimulatorSpan] = []
    var isLossPending = lossTime != nil
    for (time, exports) in batches(of: run) {
      var spans: [SimulatorSpan] = []
      var logs: [SimulatorLog] = []
      for export in exports {
        switch export.record {
        case .span(let span): spans.append(span)
        case .log(let log): logs.append(log)
        }
      }
      let arrival = time + random.between(0.06, 0.24)
      if !spans.isEmpty {
        let sent = unacknowledged + spans
        unacknowledged = []
        if isLossPending, let lossTime, time > lossTime {
          unacknowledged = sent
          isLossPending = false
        }
        let line = collector.line(spans: sent, resource: run.device.resource)
        deliveries.append(delivery(at: arrival, line))
      }
      if !logs.isEmpty {
        let line = collector.line(logs: logs, resource: run.device.resource)
        deliveries.append(delivery(at: arrival + 0.02, line))
      }
    }
    return deliveries
  }

  private func delivery(at time: Double, _ bytes: [UInt8]) -> SimulatorDelivery {
    SimulatorDelivery(
      time: Timestamp(nanoseconds: collector.nanoseconds(time)),
      stream: .otlp,
      bytes: bytes
    )
  }

  /// What is exported together, by the time of export; what a death overtakes is lost.
  private func batches(of run: SimulatorRun) -> [(time: Double, exports: [SimulatorExport])] {
    var batches: [(time: Double, exports: [SimulatorExport])] = []
    let ordered = run.exports.enumerated()
      .sorted { ($0.element.knownAt, $0.offset) < ($1.element.knownAt, $1.offset) }
      .map(\.element)
    for export in ordered {
      let time = exportTime(of: export, in: run)
      guard time < run.death else { continue }
      if batches.last?.time == time {
        batches[batches.count - 1].exports.append(export)
      } else {
        batches.append((time, [export]))
      }
    }
    return batches
  }

  private func exportTime(of export: SimulatorExport, in run: SimulatorRun) -> Double {
    let first = run.launch + SimulatorRun.enableDelay
    let turns = max(0, (export.knownAt - first) / Self.batchDelay)
    let regular = first + Double(Int(turns) + 1) * Self.batchDelay
    let flush = run.flushes.first { $0 >= export.knownAt }
    return min(regular, flush ?? regular)
  }
}

extension SimulatorLedger {
  /// The lines in order of writing; what follows a torn line begins with the line end that it lacks.
  func deliveries(of lines: [SimulatorLedgerLine]) -> [SimulatorDelivery] {
    var isTorn = false
    return lines.enumerated()
      .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
      .map { _, line in
        var bytes = self.line(line)
        if isTorn { bytes.insert(UInt8(ascii: "\n"), at: 0) }
        isTorn = line.keptByteCount != nil
        if let count = line.keptByteCount { bytes = Array(bytes.prefix(count)) }
        let time = origin.advanced(byNanoseconds: Int64(line.time * 1e9))
        return SimulatorDelivery(time: time, stream: .ledger, bytes: bytes)
      }
  }
}
