/// What the slow-event ledger's own names mean: when each is recorded, and its budget.
package enum LedgerNames {
  package static let firstFrame = "boot.firstFrame"
  package static let hang = "main.hang"
  package static let hitch = "frame.hitch"

  /// A name of the ledger that is known without configuration.
  package struct Seam: Sendable {
    package var name: String
    /// Milliseconds above which an event is a report; nil where every event is recorded or none is judged.
    package var budget: Int?
    /// Milliseconds below which nothing is recorded; nil for names that are always recorded.
    package var floor: Int?
  }

  /// The instrumented seams and their budgets, as the apps' own performance page lists them.
  package static let seams: [Seam] = [
    Seam(name: firstFrame, budget: nil, floor: nil),
    Seam(name: "threads.hydrate", budget: 500, floor: 500),
    Seam(name: "threads.refresh", budget: 2500, floor: 2500),
    Seam(name: "feed.openThread", budget: 1500, floor: 1500),
    Seam(name: "feed.foldPage", budget: 250, floor: 250),
    Seam(name: "api.get", budget: 1000, floor: 1000),
    Seam(name: "api.post", budget: 1000, floor: 1000),
    Seam(name: "socket.connect", budget: 3000, floor: 3000),
    Seam(name: "image.load", budget: 1000, floor: 1000),
    Seam(name: hang, budget: nil, floor: 250),
    Seam(name: hitch, budget: nil, floor: 120),
  ]

  package static func seam(_ name: String) -> Seam? {
    seams.first { $0.name == name }
  }
}
