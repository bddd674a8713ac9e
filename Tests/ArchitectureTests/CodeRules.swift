/// What has to hold for Swift code.
enum CodeRules {
  static let all = [platformConditions, traps, forceUnwraps, typeNames]

  private static let platformConditions = Rule(
    perFile: "platform conditions stand in +Darwin and +Linux files only",
    bad: [
      SourceFile(path: "Sources/Ingest/A.swift", text: "#if os(Linux)\n#endif\n"),
      SourceFile(path: "Sources/Ingest/A.swift", text: "#if DEBUG || !os(macOS)\n#endif\n"),
      SourceFile(path: "Tests/IngestTests/A.swift", text: "#if DEBUG\n#elseif os(macOS)\n#endif\n"),
    ],
    good: [
      SourceFile(path: "Sources/Ingest/A+Linux.swift", text: "#if os(Linux)\n#endif\n"),
      SourceFile(path: "Sources/Ingest/A+Darwin.swift", text: "#if os(macOS)\n#endif\n"),
      SourceFile(path: "Sources/Ingest/A.swift", text: "#if canImport(Glibc)\n#endif\n"),
      SourceFile(path: "Sources/Ingest/A.swift", text: "// #if os(Linux)\n"),
    ]
  ) { file in
    guard file.isSwift, !file.name.hasSuffix("+Darwin.swift"), !file.name.hasSuffix("+Linux.swift")
    else { return [] }
    return matches(in: file, /#\s*(if|elseif)\b.*\bos\s*\(/) { _ in
      "belongs in a +Darwin or +Linux file"
    }
  }

  private static let traps = Rule(
    perFile: "nothing in the product traps on purpose or ignores an error",
    bad: ["try! f()", "let a = b as! C", "fatalError()", "fatalError(\"why\")"].map {
      SourceFile(path: "Sources/Model/A.swift", text: $0 + "\n")
    },
    good: [
      SourceFile(
        path: "Sources/Model/A.swift",
        text: "let a = try f() as? C // never try! or as!\n"
      ),
      SourceFile(path: "Sources/Model/A.swift", text: "let text = \"fatalError()\"\n"),
      SourceFile(path: "Sources/Model/A.swift", text: "precondition(true, \"a sentence\")\n"),
    ]
  ) { file in
    guard file.isSwift, file.module != nil else { return [] }
    return matches(in: file, /\btry!|\bas!|\bfatalError\b/) { "uses \($0)" }
  }

  private static let forceUnwraps = Rule(
    perFile: "nothing in the product is unwrapped by force",
    bad: ["let a = b!", "f(x)!.y", "list[0]!", "var a: Int!", "a!.b = c", "let c: [Int]!"].map {
      SourceFile(path: "Sources/Model/A.swift", text: $0 + "\n")
    },
    good: ["if a != b {}", "if !a {}", "f(!a)", "// stop!", "let a = \"stop!\"", "a!=b"].map {
      SourceFile(path: "Sources/Model/A.swift", text: $0 + "\n")
    }
  ) { file in
    guard file.isSwift, file.module != nil else { return [] }
    return matches(in: file, /[\w\)\]\}>?]!(?!=)/) { _ in "unwraps by force" }
  }

  /// A name says what a thing is; these endings say only that it does something.
  private static let vague = [
    "Manager", "Helper", "Util", "Utils", "Utility", "Handler", "Controller", "Processor", "Info",
  ]
  /// The standard library's own, or the C library's: shadowing them stops other files from compiling.
  private static let taken: Set<Substring> = ["Span", "Duration", "Mutex"]

  private static let typeNames = Rule(
    perFile: "no type has a vague or a taken name",
    bad: [
      "struct SessionManager {}", "final class InputHandler {}", "enum TextUtils {}",
      "package struct DeviceInfo: Sendable {}", "struct Span {}", "typealias Duration = Int64",
    ].map { SourceFile(path: "Sources/Model/A.swift", text: $0 + "\n") },
    good: [
      "struct Session {}", "enum Information {}", "struct SpanRecord {}", "let utility = 1",
      "class func handler() {}",
    ].map { SourceFile(path: "Sources/Model/A.swift", text: $0 + "\n") }
  ) { file in
    guard file.isSwift, file.module != nil else { return [] }
    let declaration = /\b(?:struct|class|enum|protocol|actor|typealias)\s+(\w+)/
    return file.codeLines.enumerated().flatMap { index, line in
      line.matches(of: declaration).compactMap { match in
        guard taken.contains(match.1) || vague.contains(where: { match.1.hasSuffix($0) }) else {
          return nil
        }
        return Violation(path: file.path, line: index + 1, reason: "type named \(match.1)")
      }
    }
  }

  private static func matches<Output>(
    in file: SourceFile,
    _ pattern: Regex<Output>,
    reason: (Substring) -> String
  ) -> [Violation] {
    file.codeLines.enumerated().flatMap { index, line in
      line.matches(of: pattern).map {
        Violation(path: file.path, line: index + 1, reason: reason(line[$0.range]))
      }
    }
  }
}
