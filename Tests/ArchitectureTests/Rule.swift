import Testing

/// Something that has to hold for the files of the repository, with samples that prove that it can fail.
struct Rule: Sendable, CustomTestStringConvertible {
  let name: String
  let check: @Sendable ([SourceFile]) -> [Violation]
  /// Each breaks the rule by itself.
  let bad: [Sample]
  /// Each keeps the rule, though it looks close to breaking it.
  let good: [Sample]

  typealias Sample = [SourceFile]

  var testDescription: String { name }

  static let all: [Rule] =
    ImportRules.all + FileRules.all + CodeRules.all
}

extension Rule {
  /// A rule that looks at each file for itself.
  init(
    perFile name: String,
    bad: [SourceFile],
    good: [SourceFile],
    check: @escaping @Sendable (SourceFile) -> [Violation]
  ) {
    self.init(
      name: name,
      check: { files in files.flatMap(check) },
      bad: bad.map { [$0] },
      good: good.map { [$0] }
    )
  }
}

@Suite("Architecture")
struct RuleTests {
  @Test("the repository keeps the rule", arguments: Rule.all)
  func repositoryKeeps(rule: Rule) {
    let violations = rule.check(Repository.files)
    #expect(violations.isEmpty, "\(violations.map(\.description).joined(separator: "\n"))")
  }

  @Test("the rule finds every bad sample", arguments: Rule.all)
  func findsBadSamples(rule: Rule) {
    #expect(!rule.bad.isEmpty)
    for sample in rule.bad {
      #expect(!rule.check(sample).isEmpty, "\(sample)")
    }
  }

  @Test("the rule lets every good sample pass", arguments: Rule.all)
  func passesGoodSamples(rule: Rule) {
    for sample in rule.good {
      #expect(rule.check(sample).map(\.description) == [])
    }
  }

  @Test("the repository's files are found")
  func repositoryIsRead() {
    let paths = Set(Repository.files.map(\.path))
    #expect(paths.contains("Package.swift"))
    #expect(paths.contains("Sources/Model/Events/Signal.swift"))
    #expect(!paths.contains { $0.hasPrefix(".build") })
  }

  @Test(
    "comments and strings are told from code",
    arguments: [
      ("a // b\nc", "a     \nc"),
      ("a /* b /* c */ d */ e", "a                   e"),
      (#"x = "y\"z" + w"#, #"x = "    " + w"#),
      ("x = #\"y\"z\"# + w", "x = #\"   \"# + w"),
      ("\"\"\"\na \"b\"\n\"\"\" c", "\"\"\"\n     \n\"\"\" c"),
      ("#if os(Linux)", "#if os(Linux)"),
    ]
  )
  func codeIsBlanked(text: String, expected: String) {
    #expect(SwiftCode.blanked(text) == expected)
  }
}
