/// Which module may import what.
enum ImportRules {
  static let all = [table, oneFileEach]

  private static let platform: Set<String> = ["Glibc", "Musl", "Darwin"]

  /// The standard library needs no import and may always be named.
  private static let allowed: [String: Set<String>] = [
    "Model": ["CPattern"],
    "Ingest": platform.union(["Model", "CCompression", "CNetwork", "CPlatform"]),
    "TUI": platform.union(["Model", "CNcurses", "CUnicode", "CPlatform"]),
    "perftop": platform.union(["Model", "Ingest", "TUI", "CPlatform"]),
  ]

  /// What only one file of the product may import: a replacement then touches that file alone.
  private static let lonely: Set<String> = ["CNcurses", "CPattern", "CUnicode"]

  private static let table = Rule(
    perFile: "every module imports only what the import table allows",
    bad: [
      SourceFile(path: "Sources/Model/A.swift", text: "import Glibc\n"),
      SourceFile(path: "Sources/Model/A.swift", text: "package import Foundation\n"),
      SourceFile(path: "Sources/Ingest/A.swift", text: "internal import TUI\n"),
      SourceFile(path: "Sources/Ingest/A.swift", text: "import struct Foundation.URL\n"),
      SourceFile(path: "Sources/Ingest/A.swift", text: "@preconcurrency import Dispatch\n"),
      SourceFile(
        path: "Sources/TUI/A.swift",
        text: "#if canImport(Ingest)\n  import Ingest\n#endif\n"
      ),
      SourceFile(path: "Sources/perftop/A.swift", text: "import Model; import Foundation\n"),
      SourceFile(path: "Sources/perftop/A.swift", text: "import FoundationEssentials\n"),
      SourceFile(path: "Sources/Other/A.swift", text: "import Model\n"),
    ],
    good: [
      SourceFile(path: "Sources/Model/A.swift", text: "// import Foundation\nlet a = 1\n"),
      SourceFile(path: "Sources/Ingest/A.swift", text: "package import Model\nimport CPlatform\n"),
      SourceFile(
        path: "Sources/TUI/A.swift",
        text: "#if canImport(Glibc)\nimport Glibc\n#else\nimport Darwin\n#endif\n"
      ),
      SourceFile(path: "Tests/ModelTests/A.swift", text: "import Foundation\n"),
      SourceFile(
        path: "Sources/Model/A.swift",
        text: "let text = \"\"\"\n  import Foundation\n  \"\"\"\n"
      ),
    ]
  ) { file in
    imports(of: file).compactMap { line, imported in
      guard let module = file.module else { return nil }
      guard let names = allowed[module] else {
        return Violation(
          path: file.path,
          line: line,
          reason: "\(module) has no row in the import table"
        )
      }
      guard !names.contains(imported), imported != "Swift" else { return nil }
      return Violation(path: file.path, line: line, reason: "\(module) may not import \(imported)")
    }
  }

  private static let oneFileEach = Rule(
    name: "CNcurses, CPattern and CUnicode are imported in one file each",
    check: { files in
      lonely.sorted().flatMap { module in
        files.filter { $0.module != nil && imports(of: $0).contains { $0.name == module } }
          .dropFirst()
          .map { Violation(path: $0.path, line: 0, reason: "a second file imports \(module)") }
      }
    },
    bad: [
      [
        SourceFile(path: "Sources/TUI/A.swift", text: "import CNcurses\n"),
        SourceFile(path: "Sources/TUI/B.swift", text: "private import CNcurses\n"),
      ],
      [
        SourceFile(path: "Sources/TUI/A.swift", text: "import CUnicode\n"),
        SourceFile(path: "Sources/TUI/B.swift", text: "import CUnicode\n"),
      ],
      [
        SourceFile(path: "Sources/Model/A.swift", text: "import CPattern\n"),
        SourceFile(path: "Sources/Model/B.swift", text: "import CPattern\n"),
      ],
    ],
    good: [
      [
        SourceFile(path: "Sources/TUI/A.swift", text: "import CNcurses\n"),
        SourceFile(path: "Sources/TUI/B.swift", text: "import CUnicode\n"),
        SourceFile(path: "Tests/TUITests/C.swift", text: "import CUnicode\n"),
      ]
    ]
  )

  /// Every import with its line, whatever its attributes and access level.
  private static func imports(of file: SourceFile) -> [(line: Int, name: String)] {
    guard file.isSwift else { return [] }
    let kinds: Set<Substring> = [
      "typealias", "struct", "class", "enum", "protocol", "let", "var", "func",
    ]
    return file.codeLines.enumerated().flatMap { index, line in
      line.split(separator: ";").compactMap { statement -> (line: Int, name: String)? in
        let words = statement.split(separator: " ").filter { !$0.hasPrefix("@") }
        guard let keyword = words.firstIndex(of: "import"), keyword <= 1 else { return nil }
        guard let path = words[(keyword + 1)...].first(where: { !kinds.contains($0) }) else {
          return nil
        }
        return (index + 1, String(path.prefix { $0 != "." }))
      }
    }
  }
}
