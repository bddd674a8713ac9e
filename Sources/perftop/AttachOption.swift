import Ingest
import Model
import TUI

/// The addresses of `--attach`, and what is said of them without a screen.
enum AttachOption {
  static let option = Option(
    name: "--attach",
    value: "ADDRESS",
    help: "connect to unix:PATH, tcp://HOST:PORT, ws://HOST:PORT[/PATH]"
  ) { arguments, value throws(UsageError) in
    guard arguments.form != .screen else {
      throw UsageError("--attach is for the dashboard and report: screen shows what has ended")
    }
    let source = Arguments.Source.attach(try address(value))
    // Two clients of one tap would halve what each gets.
    if !arguments.sources.contains(source) { arguments.sources.append(source) }
  }

  private static func address(_ text: String) throws(UsageError) -> AttachAddress {
    do throws(AttachAddressError) { return try AttachAddress(text) } catch {
      let hint = error.hint.map { ": \($0)" } ?? ""
      throw UsageError("--attach takes \(AttachAddress.forms), not '\(text)'\(hint)")
    }
  }

  /// Says once of each source that it cannot be reached at present; for runs that nobody watches.
  struct Announcements {
    private var told: Set<SourceID> = []

    mutating func tell(of model: SessionModel) {
      for source in model.sources {
        guard case .retrying(_, let reason) = source.connection?.state,
          told.insert(source.opened.id).inserted
        else { continue }
        StandardError.line(
          "perftop: \(source.name): \(DisplayText.shown(reason)); trying again until it is there"
        )
      }
    }
  }
}
