/// Scope versions are the host's own text; PerformanceSuite's documentation suggests the library's version.
func isVersionWithSessionSpans(_ text: String) -> Bool {
  // Asked of every text of the data: most are told apart by their first character.
  guard let first = text.utf8.first, (0x30...0x39).contains(first), text.utf8.count <= 16 else {
    return false
  }
  let parts = text.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
  guard parts.count >= 2, let major = Int(parts[0]), let minor = Int(parts[1]) else { return false }
  return major > 1 || (major == 1 && minor >= 9)
}
