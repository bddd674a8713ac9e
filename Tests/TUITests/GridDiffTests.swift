import TUI
import Testing

@Suite("Changed cells")
struct GridDiffTests {
  @Test("an unchanged picture has no runs")
  func unchanged() {
    let grid = WidgetSampler.grid(width: 80, height: 24)
    #expect(GridDiff.runs(from: grid, to: grid).isEmpty)
  }

  @Test("without an old picture of the same size, every row is shown")
  func whole() {
    let grid = Grid(width: 5, height: 2)
    let rows = [GridDiff.Run(y: 0, columns: 0..<5), GridDiff.Run(y: 1, columns: 0..<5)]
    #expect(GridDiff.runs(from: nil, to: grid) == rows)
    #expect(GridDiff.runs(from: Grid(width: 4, height: 2), to: grid) == rows)
  }

  @Test("a change is a run, and changes close together are one")
  func runs() {
    let old = Grid(width: 40, height: 3)
    var new = old
    new.put("a", x: 3, y: 1)
    new.put("b", x: 7, y: 1)
    new.put("c", x: 30, y: 1)
    #expect(
      GridDiff.runs(from: old, to: new) == [
        GridDiff.Run(y: 1, columns: 3..<8), GridDiff.Run(y: 1, columns: 30..<31),
      ]
    )
  }

  @Test("a run covers both halves of wide characters, old and new")
  func wide() {
    var old = Grid(width: 8, height: 1)
    old.put("日本", x: 1, y: 0)
    var new = Grid(width: 8, height: 1)
    new.put("語", x: 2, y: 0)
    let runs = GridDiff.runs(from: old, to: new)
    #expect(runs == [GridDiff.Run(y: 0, columns: 1..<5)])
  }

  @Test("showing only the runs gives the new picture", arguments: 0..<200)
  func patched(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let old = Self.randomGrid(&random)
    var new = old
    for _ in 0..<Int.random(in: 0...4, using: &random) { Self.scribble(&new, &random) }
    var cells = old.cells
    for run in GridDiff.runs(from: old, to: new) {
      for x in run.columns { cells[run.y * new.width + x] = new[x, run.y] }
    }
    #expect(cells == new.cells)
  }

  private static func randomGrid(_ random: inout SeededGenerator) -> Grid {
    var grid = Grid(width: 20, height: 4)
    for _ in 0..<10 { scribble(&grid, &random) }
    return grid
  }

  private static func scribble(_ grid: inout Grid, _ random: inout SeededGenerator) {
    let texts = ["日本", "abc", "▁█", " ", "é", "x"]
    grid.put(
      texts[Int.random(in: 0..<texts.count, using: &random)],
      x: Int.random(in: -2..<21, using: &random),
      y: Int.random(in: 0..<4, using: &random),
      role: Role.allCases[Int.random(in: 0..<Role.allCases.count, using: &random)]
    )
  }
}

/// Random numbers that a seed repeats (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
