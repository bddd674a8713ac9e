import CAllocations
import CPlatform
import Ingest
import Model
import TUI

/// Where the time goes: nanoseconds a record, layer by layer, each alone on one thread.
struct Layers {
  private let path: String
  private let rounds: Int

  init(path: String, rounds: Int) {
    self.path = path
    self.rounds = max(1, rounds)
  }

  /// The records of the capture, and the least time that each layer took, in nanoseconds for all.
  ///
  /// Nil where nothing can be read from the file.
  func figures() -> (records: Int, layers: [(name: String, nanoseconds: Int64)])? {
    guard let bytes = readAll() else { return nil }
    let kept = KeepingSink()
    ingest(.path(path), into: kept)
    let records = kept.records
    guard records > 0 else { return nil }
    var layers: [(name: String, nanoseconds: Int64)] = []
    layers.append(("read", least { _ = readThrough { _ in } }))
    layers.append(
      ("decode", least { ingest(BytesSource.request(bytes), into: DroppingSink()) })
    )
    var model = SessionModel()
    layers.append(
      (
        "apply",
        least {
          model = SessionModel()
          for batch in kept.batches { model.apply(batch) }
        }
      )
    )
    var overview = Overview()
    let whole = least { overview = model.overview() }
    // With nothing new every stream keeps its derivation: what remains is gathering the figures.
    let gathering = least { overview = model.overview(previous: overview) }
    layers.append(("derive", max(0, whole - gathering)))
    layers.append(("overview", gathering))
    var findings = Findings()
    layers.append(("findings", least { findings = model.findings(overview) }))
    layers.append(
      (
        "json",
        least {
          ReportJSON(model: model, overview: overview, findings: findings).write { _ in }
        }
      )
    )
    return (records, layers)
  }

  /// What a picture of 200×50 costs, by screen: drawing it, and comparing it with the one before.
  func pictures() -> [(name: String, draw: Int64, diff: Int64)] {
    let kept = KeepingSink()
    ingest(.path(path), into: kept)
    var state = AppState()
    state.resize(width: 200, height: 50)
    for batch in kept.batches { state.observe(batch) }
    state.refresh()
    return Screen.allCases.map { screen in
      state.show(screen)
      let before = Picture.draw(state)
      _ = state.press(.down)
      var grid = before
      let draw = least(100 * rounds) { grid = Picture.draw(state) }
      let diff = least(100 * rounds) { _ = GridDiff.runs(from: before, to: grid) }
      return (screen.name, draw, diff)
    }
  }

  private func least(_ body: () -> Void) -> Int64 { least(rounds, body) }

  private func least(_ count: Int, _ body: () -> Void) -> Int64 {
    (0..<count).reduce(Int64.max) { best, _ in
      let start = ca_nanoseconds()
      body()
      return min(best, ca_nanoseconds() - start)
    }
  }

  /// The file's bytes; nil where it cannot be read.
  private func readAll() -> [UInt8]? {
    var bytes: [UInt8] = []
    return readThrough { bytes.append(contentsOf: $0) } ? bytes : nil
  }

  /// Hands over the file in the pieces in which the product reads; false where that fails.
  private func readThrough(_ take: (UnsafeRawBufferPointer) -> Void) -> Bool {
    let descriptor = cp_open_to_read(path)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 4_096) { piece in
      guard let base = piece.baseAddress else { return false }
      while true {
        let read = Int(cp_read(descriptor, base, piece.count))
        guard read > 0 else { return read == 0 }
        take(UnsafeRawBufferPointer(rebasing: piece[..<read]))
      }
    }
  }
}
