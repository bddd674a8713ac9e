import Foundation
import Testing

@testable import Ingest

/// A small generator, so that a seed gives the same story on every machine.
private struct Xorshift {
  var state: UInt64

  mutating func next(_ bound: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state % UInt64(bound))
  }
}

@Suite("A followed file under random writers")
struct FollowedFileRandomTests {
  @Test(
    "loses no line and gives none twice",
    arguments: [1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233] as [UInt64]
  )
  func story(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    var random = Xorshift(state: seed &* 0x9E37_79B9_7F4A_7C15)
    let probe = FollowerProbe(folder.path("log"))
    var written: [String] = []

    func append(to name: String) throws {
      var text = ""
      for _ in 0...random.next(4) {
        let padding = String(repeating: "x", count: random.next(200))
        let line = "seed \(seed) line \(written.count) \(padding)"
        written.append(line)
        text += line + "\n"
      }
      if random.next(3) == 0, name == "log" {
        let line = "seed \(seed) half \(written.count)"
        text += line.prefix(6)
        written.append(line)
        try folder.append(text, to: name)
        probe.poll(afterSeconds: Double(random.next(3)))
        text = String(line.dropFirst(6)) + "\n"
      }
      try folder.append(text, to: name)
    }

    for _ in 0..<200 {
      switch random.next(12) {
      case 0:
        // Rotation, sometimes with a writer that reopens late.
        guard FileManager.default.fileExists(atPath: folder.path("log")) else { continue }
        try folder.rename("log", to: "log.1")
        try append(to: "log.1")
        if random.next(2) == 0 { probe.poll() }
        try append(to: "log")
        if random.next(2) == 0 {
          probe.poll(afterSeconds: 1)
          try append(to: "log.1")
        }
        probe.poll()
      case 1:
        // Everything that is there has been seen, so truncation takes nothing away.
        probe.poll()
        try folder.write("", to: "log")
        if random.next(2) == 0 { try append(to: "log") }
      case 2:
        // copytruncate: lines that were never seen are in the copy.
        try append(to: "log")
        probe.poll()
        if random.next(2) == 0 { try append(to: "log") }
        try? folder.remove("log.1")
        try FileManager.default.copyItem(atPath: folder.path("log"), toPath: folder.path("log.1"))
        try folder.write("", to: "log")
        probe.poll()
      case 3:
        probe.poll()
        try? folder.remove("log")
      case 4: probe.poll(afterSeconds: 7)
      case 5...7: probe.poll(afterSeconds: 0.5)
      default: try append(to: "log")
      }
    }
    probe.poll()
    let read = probe.lines
    #expect(read.count == Set(read).count, "given twice")
    #expect(Set(written).subtracting(read).isEmpty, "lost")
    #expect(Set(read).subtracting(written).isEmpty, "never written")
  }
}
