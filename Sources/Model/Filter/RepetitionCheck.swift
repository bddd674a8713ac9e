/// Why a pattern is refused although it is a regular expression.
struct UnboundedPattern: Error, CustomStringConvertible {
  var description: String {
    "repetition of a group with repetition or | in it, or too much of it, can take forever; "
      + "write it with fewer * and +"
  }
}

/// Finds patterns that a backtracking search may follow for longer than anybody waits.
enum RepetitionCheck {
  /// Each one more multiplies the steps by the length of the text: names are short, mostly.
  private static let mostRepetitions = 4

  /// False where a repeated group holds repetition or alternatives, or where there are many repetitions.
  static func isBounded(_ pattern: String) -> Bool {
    /// For each open group, whether something within it repeats or has alternatives.
    var groups = [false]
    var repetitions = 0
    var isInClass = false
    /// Whether what stands before the current character is a group that repeats within.
    var repeatsWithin = false
    var characters = Array(pattern)[...]
    while let character = characters.popFirst() {
      if character == "\\" {
        characters = characters.dropFirst()
        repeatsWithin = false
        continue
      }
      if isInClass {
        isInClass = character != "]"
        repeatsWithin = false
        continue
      }
      switch character {
      case "[": isInClass = true
      case "(": groups.append(false)
      case ")":
        let inner = groups.count > 1 ? groups.removeLast() : false
        groups[groups.count - 1] = groups[groups.count - 1] || inner
        repeatsWithin = inner
        continue
      case "*", "+", "{":
        if repeatsWithin { return false }
        repetitions += 1
        groups[groups.count - 1] = true
      case "|": groups[groups.count - 1] = true
      default: break
      }
      repeatsWithin = false
    }
    return repetitions <= mostRepetitions
  }
}
