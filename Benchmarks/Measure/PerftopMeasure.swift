import CAllocations
import CPlatform

/// Measures the layers of perftop from inside; prints one JSON object.
///
/// `counts` counts allocations of simulated sessions; `layers FILE [ROUNDS]` takes times of a capture.
@main
enum PerftopMeasure {
  static func main() {
    let words = Array(CommandLine.arguments.dropFirst())
    switch words.first {
    case "counts": counts()
    case "layers" where words.count > 1:
      layers(Layers(path: words[1], rounds: words.count > 2 ? Int(words[2]) ?? 5 : 5))
    default: print(#"{"error": "usage: perftop-measure counts | layers FILE [ROUNDS]"}"#)
    }
  }

  private static func counts() {
    guard ca_counts() != 0 else {
      print(#"{"library": "other", "counts": {}}"#)
      return
    }
    let members = Counts().figures().map { "    \"\($0.name)\": \($0.count)" }
    print(
      """
      {
        "library": "\(String(cString: ca_library()))",
        "processor": "\(processor)",
        "counts": {
      \(members.joined(separator: ",\n"))
        }
      }
      """
    )
  }

  private static func layers(_ layers: Layers) {
    // As the report does, which would else spend its time on taking and giving back pages.
    cp_take_memory_in_large_steps()
    guard let figures = layers.figures() else {
      print(#"{"error": "no records in the file"}"#)
      return
    }
    let times = figures.layers.map { "\"\($0.name)\": \($0.nanoseconds)" }
    let pictures = layers.pictures().map {
      "\"\($0.name)\": {\"draw\": \($0.draw), \"diff\": \($0.diff)}"
    }
    print(
      """
      {"records": \(figures.records), "layers": {\(times.joined(separator: ", "))},
       "pictures": {\(pictures.joined(separator: ", "))}}
      """
    )
  }

  private static var processor: String {
    #if arch(x86_64)
    "x86_64"
    #elseif arch(arm64)
    "arm64"
    #else
    "other"
    #endif
  }
}
