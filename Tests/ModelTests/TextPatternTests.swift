import Model
import Testing

@Suite("Regular expressions")
struct TextPatternTests {
  /// Each answer is what Python's `re.search` gives for the same expression and text.
  @Test(
    "an expression is found where Python's re finds it",
    arguments: [
      ("", "", true), ("", "Home", true), ("ome", "Home", true), ("ome", "HOME", false),
      ("(?i)ome", "HOME", true), ("^Home", "Home", true), ("^Home", "MyHome", false),
      ("Home$", "MyHome", true), ("Home$", "Homes", false), ("^$", "", true), ("^$", "a", false),
      ("a.c", "abc", true), ("a.c", "a\nc", false), ("(?s)a.c", "a\nc", true),
      ("^b", "a\nb", false), ("(?m)^b", "a\nb", true), ("a.c", "aüc", true),
      ("^..$", "日本", true), ("^.$", "e\u{301}", false), ("^..$", "e\u{301}", true),
      ("Home|Search", "Search", true), ("^(Home|Search)$", "SearchBar", false),
      (#"screen\."#, "screen-tti", false), (#"^screen-tti\."#, "screen-tti.Home", true),
      ("[A-C]x", "Bx", true), ("[^A-C]x", "Bx", false), ("[]x]+y", "]xy", true),
      ("[]-]", "-", true), ("x{2,3}y", "xxxxy", true), ("^x{2,3}y", "xxxxy", false),
      ("x{2}", "x", false), ("a*", "", true), ("^a+?$", "aaa", true), ("colou?r", "color", true),
      (#"\d+ms"#, "in 250ms", true), (#"^\w+$"#, "api_get9", true), (#"^\w+$"#, "api.get", false),
      (#"\bget\b"#, "api.get", true), (#"\bget\b"#, "target", false), (#"\s"#, "a\tb", true),
      ("(?i)ÄRGER", "ärger", true), ("ß", "STRASSE", false), ("[α-ω]", "λ", true),
      (#"\x41"#, "A", true), (#"\101"#, "A", true),
      ("(?P<page>Home)", "Home", true), ("(?:ab)+$", "abab", true), (#"a\|b"#, "a|b", true),
    ]
  )
  func found(pattern: String, text: String, expected: Bool) throws {
    #expect(try TextPattern(pattern).isFound(in: text) == expected)
  }

  /// Ⅷ is a number and no letter; ö is a letter; Ж is Cyrillic.
  @Test(
    "classes of Unicode go by what Unicode says of a character",
    arguments: [
      (#"^\pL$"#, "ö", true), (#"^\pL$"#, "Ⅷ", false), (#"^\pN$"#, "Ⅷ", true),
      (#"^\p{Cyrillic}$"#, "Ж", true), (#"^\p{Greek}$"#, "Ж", false), (#"^\PL$"#, "ö", false),
      (#"^\p{Lu}$"#, "Ж", true), (#"^\p{Lu}$"#, "ж", false), (#"^[[:alpha:]]$"#, "a", true),
      (#"^[[:alpha:]]$"#, "ö", false),
    ]
  )
  func unicode(pattern: String, text: String, expected: Bool) throws {
    #expect(try TextPattern(pattern).isFound(in: text) == expected)
  }

  /// Backtracking tries 2^100,000 ways, or the cube of 100,000, before it finds that there is none.
  @Test(
    "an expression that makes backtracking run forever ends on 100,000 characters",
    .timeLimit(.minutes(1)),
    arguments: [
      ("(a+)+$", "a"), ("(a|aa)+$", "a"), ("^(a|a)*$", "a"), ("(x+x+)+y", "x"), ("(.*)*y", "x"),
      (".*.*.*.*.*.*y", "x"), ("^(([a-z])+.)+[A-Z]([a-z])+$", "a"),
      (#"^(\w+\s?)*$"#, "x"), ("(?i)(A*)*B", "a"),
    ]
  )
  func pathological(pattern: String, letter: String) throws {
    let compiled = try TextPattern(pattern)
    let text = String(repeating: letter, count: 100_000)
    let isFound = compiled.isFound(in: text + "!")
    #expect(!isFound)
  }

  @Test("bytes that are no UTF-8 match nothing, and what stands around them is found")
  func invalid() throws {
    func found(_ pattern: String, _ bytes: [UInt8]) throws -> Bool {
      let compiled = try TextPattern(pattern)
      return bytes.withUnsafeBytes { compiled.isFound(in: $0) }
    }
    #expect(try !found("a.b", [0x61, 0xFF, 0x62]))
    #expect(try found("b$", [0x61, 0xFF, 0x62]))
    #expect(try found("^a", [0x61, 0xC3, 0x28]))
    #expect(try found("é", [0xFF, 0xC3, 0xA9, 0x80]))
    // The first half of a two-byte character, and an overlong slash.
    #expect(try !found(".", [0xC3]))
    #expect(try !found("/", [0xC0, 0xAF]))
    #expect(try found("a.b", [0x61, 0x00, 0x62]))
    #expect(try found("", []))
    #expect(try !found("a", []))
  }

  @Test(
    "what is no expression is named, with the character to blame",
    arguments: [
      ("ab[c", 2, "'[' is never closed"), ("a(b", nil, "'(' is never closed"),
      ("ab)", nil, "')' without a '('"), (#"ab\"#, nil, "nothing follows"),
      ("*a", 0, "nothing stands before '*'"), ("a**", 1, "'**' repeats a repetition"),
      ("ö[z-a]", 2, "'z-a' is no range"), (#"a\p{Foo}"#, 1, #"'\p{Foo}' is no range"#),
      ("ab{10000}", 2, "'{10000}' is no repetition; 1000 times"),
      ("b{3,1}", 1, "'{3,1}' is no repetition"), ("((a{100}){100}){100}", nil, "no repetition"),
      (#"\pL{1000}"#, nil, "too large"), ("a{0,1000}a{0,1000}b", nil, "too large"),
      ("äb(?=c)", 2, "not supported: lookahead (?="),
      ("(?!b)", 0, "not supported: lookahead (?!"), ("a(?<=b)", 1, "not supported: lookbehind"),
      ("(?>a)", 0, "not supported: atomic group (?>"), (#"(a)\1"#, 3, #"back-reference \1"#),
      (#"a\h"#, 1, #"not supported: escape \h"#), ("(?z)", 0, "not supported: group (?z"),
      ("(?P<1-2>a)", 0, "names no group"), (#"\*x|*y"#, nil, "nothing stands before '*'"),
    ] as [(String, Int?, String)]
  )
  func mistake(pattern: String, offset: Int?, words: String) {
    let error = #expect(throws: PatternError.self) { try TextPattern(pattern) }
    #expect(error?.offset == offset)
    #expect(error?.text.contains(words) == true, "\(error?.text ?? "")")
  }

  @Test("nesting as deep as an attack makes it is read, not recursed into")
  func nesting() throws {
    let open = String(repeating: "(", count: 20_000)
    let close = String(repeating: ")", count: 20_000)
    #expect(try TextPattern(open + "a" + close).isFound(in: "a"))
    #expect(throws: PatternError.self) { try TextPattern(open + "a") }
  }

  @Test("threads may ask one expression at once")
  func threads() async throws {
    let pattern = try TextPattern("(b+|c)+d$")
    let answers = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask {
          (0..<1000).count { pattern.isFound(in: String(repeating: "b", count: $0) + "d") }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    // All but the one without a letter before the last.
    #expect(answers == Array(repeating: 999, count: 8))
  }
}
