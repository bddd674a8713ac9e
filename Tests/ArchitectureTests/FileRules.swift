/// What has to hold for files as such.
enum FileRules {
  static let all = [size, uniqueNames, unfinished, machinePaths]

  /// Lines; a file that needs more has two purposes.
  private static let ceiling = 400

  private static let size = Rule(
    perFile: "no source file has more than \(ceiling) lines",
    bad: [
      SourceFile(path: "Sources/Model/A.swift", text: lines(401)),
      SourceFile(path: "Tests/ModelTests/A.swift", text: lines(401)),
      SourceFile(path: "Sources/CPlatform/include/A.h", text: lines(401)),
      SourceFile(path: "Sources/CPlatform/A.c", text: lines(401)),
      SourceFile(path: "scripts/a.py", text: lines(401)),
      SourceFile(path: "scripts/a", text: lines(401)),
      SourceFile(path: ".ci/run", text: lines(401)),
      SourceFile(path: "Makefile", text: lines(401)),
    ],
    good: [
      SourceFile(path: "Sources/Model/A.swift", text: lines(400)),
      SourceFile(path: "Tests/Fixtures/capture.jsonl", text: lines(401)),
    ]
  ) { file in
    let isSource =
      [".swift", ".h", ".c", ".py", ".sh"].contains { file.path.hasSuffix($0) }
      || file.path.hasPrefix("scripts/") || file.path.hasPrefix(".ci/") || file.name == "Makefile"
    let count =
      file.text.split(separator: "\n", omittingEmptySubsequences: false).count
      - (file.text.hasSuffix("\n") ? 1 : 0)
    guard isSource, count > ceiling else { return [] }
    return [Violation(path: file.path, line: 0, reason: "\(count) lines, \(ceiling) are allowed")]
  }

  /// The compiler refuses two files of one name in a module, with an error that names neither.
  private static let uniqueNames = Rule(
    name: "file names are unique in a module",
    check: { files in
      var seen: [String: String] = [:]
      return files.filter { $0.isSwift }.compactMap { file in
        guard let target = file.target else { return nil }
        let key = target + "/" + file.name
        if let other = seen[key] {
          return Violation(path: file.path, line: 0, reason: "has the name of \(other)")
        }
        seen[key] = file.path
        return nil
      }
    },
    bad: [
      [
        SourceFile(path: "Sources/TUI/Screens/Timeline.swift", text: ""),
        SourceFile(path: "Sources/TUI/Widgets/Timeline.swift", text: ""),
      ]
    ],
    good: [
      [
        SourceFile(path: "Sources/TUI/Screens/Timeline.swift", text: ""),
        SourceFile(path: "Sources/Model/Timeline.swift", text: ""),
        SourceFile(path: "Tests/TUITests/Timeline.swift", text: ""),
      ]
    ]
  )

  // Written in two parts, so that this file keeps its own rules.
  private static let unfinishedWords = ["TO" + "DO", "FIX" + "ME"]
  private static let machineFolders = [
    "wo" + "rk", "tmp/w" + "t", "ho" + "me", "ro" + "ot", "Use" + "rs",
  ]

  private static let unfinished = Rule(
    perFile: "nothing is marked as unfinished",
    bad: unfinishedWords.flatMap { word in
      [
        SourceFile(path: "Sources/Model/A.swift", text: "// \(word): later\n"),
        SourceFile(path: "scripts/a.sh", text: "# \(word)(later)\n"),
      ]
    },
    good: [SourceFile(path: "README.md", text: "A TO" + "DOIST client\n")]
  ) { file in
    file.lines.enumerated().flatMap { index, line in
      unfinishedWords.filter { words(of: line).contains($0) }
        .map { Violation(path: file.path, line: index + 1, reason: "\($0) in \(file.name)") }
    }
  }

  private static let machinePaths = Rule(
    perFile: "no file names a path of somebody's machine",
    bad: machineFolders.map { folder in
      SourceFile(path: "README.md", text: "see /\(folder)/someone/notes\n")
    },
    good: [
      SourceFile(path: "README.md", text: "https://example.com/\(machineFolders[0])/notes\n"),
      SourceFile(path: "README.md", text: "GET /api/\(machineFolders[2])/feed\n"),
      SourceFile(path: "README.md", text: "/usr/local/bin, /dev/tty, /tmp/perftop\n"),
    ]
  ) { file in
    file.lines.enumerated().flatMap { index, line -> [Violation] in
      machineFolders.compactMap { folder in
        guard let range = line.firstRange(of: "/\(folder)/") else { return nil }
        // A part of a longer path or of an address is somebody else's folder.
        if let before = line[..<range.lowerBound].last,
          before.isLetter || before.isNumber || ".-_/~".contains(before)
        {
          return nil
        }
        return Violation(path: file.path, line: index + 1, reason: "names \(line[range])")
      }
    }
  }

  private static func words(of line: Substring) -> Set<String> {
    Set(line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
  }

  private static func lines(_ count: Int) -> String { String(repeating: "x\n", count: count) }
}
