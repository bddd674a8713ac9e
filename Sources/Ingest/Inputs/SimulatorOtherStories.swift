/// What happens on the other devices meanwhile; seconds count as in `SimulatorPhoneStory`.
struct SimulatorOtherStories {
  var random: SimulatorRandom

  private mutating func run(_ device: SimulatorDevice, at launch: Double) -> SimulatorRun {
    SimulatorRun(device: device, launch: launch, previousSessionID: nil, random: &random)
  }

  /// A prewarmed launch, low power at 30 Hz, a reclaimed background app, live snapshots.
  mutating func tablet(_ device: SimulatorDevice) -> [SimulatorRun] {
    var first = run(device, at: 12)
    first.isPrewarmed = true
    first.death = 345
    first.startUp(total: 49.3, premain: 0.5)
    first.becomeActive(at: 61.4)
    first.visit("Home", 60.9, 72)
    first.snapshot(at: 76.4)
    first.visit("ProductDetail", 72, 88, .pending, missed: [6])
    first.snapshot(at: 91.4)
    first.visit("Checkout", 88, 104, missed: [5])
    first.snapshot(at: 106.4)
    first.unadoptedScreen(at: 101, reason: "not_adopted")
    first.visit("OrderHistory", 104, 118)
    first.resignActive(at: 118, .clean)
    first.enterBackground(at: 118)

    first.refreshRate = 30
    first.becomeActive(at: 200)
    first.visit("ProductDetail", 200, 230, .shownAgain)
    first.snapshot(at: 230)
    first.visit("Search", 230, 240)
    first.visit("Cart", 240, 262)
    first.resignActive(at: 262, .clean)
    first.enterBackground(at: 262)

    first.refreshRate = 60
    first.becomeActive(at: 300)
    first.visit("Home", 300, 306, .shownAgain)
    first.visit("ProductDetail", 306, 320, block: .init(start: 309, length: 4.1))
    first.snapshot(at: 320)
    first.visit("Cart", 320, 332)
    first.resignActive(at: 332, .abandoned)
    first.enterBackground(at: 332)

    var second = run(device, at: 352)
    second.reportWatchdog(warnings: 0, state: "background")
    second.startUp(total: 1.62, premain: 0.44)
    second.becomeActive(at: 353.9)
    second.visit("Home", 353.5, 365)
    second.visit("Cart", 365, 380)
    second.visit("Checkout", 380, 401)
    second.visit("Home", 401, 430, .shownAgain)
    second.resignActive(at: 430, .detached)
    second.becomeActive(at: 441)
    second.visit("Search", 441, 455, .pending)
    second.visit("ProductDetail", 455, 480, missed: [4, 6])
    second.snapshot(at: 480)
    second.visit("Checkout", 480, 502)
    second.resignActive(at: 502, .clean)
    second.enterBackground(at: 502)
    second.becomeActive(at: 520)
    second.visit("Home", 520, 530, .shownAgain)
    second.snapshot(at: 535)
    second.visit("ProductDetail", 530, 545, .pending, missed: [3])
    second.snapshot(at: 550)
    second.visit("Checkout", 545, 560)
    second.snapshot(at: 565)
    second.visit("Cart", 560, 570, missed: [7])
    second.snapshot(at: 580)
    second.visit("Search", 570, 585)
    second.snapshot(at: 590)
    second.visit("Home", 585, 599.7, .shownAgain)
    second.resignActive(at: 599.7, .clean)
    second.enterBackground(at: 599.7)
    return [first, second]
  }

  /// One long janky session, and another that nobody hears of again.
  mutating func olderPhone(_ device: SimulatorDevice) -> [SimulatorRun] {
    var run = run(device, at: 28)
    run.death = 209.5
    run.startUp(total: 2.05, premain: 0.7)
    run.becomeActive(at: 30.3)
    run.visit("Home", 29.8, 38)
    run.visit("Search", 38, 46)
    run.visit("ProductDetail", 46, 58, missed: [9, 4, 12])
    run.snapshot(at: 60)
    run.visit("Checkout", 58, 72, missed: [6])
    run.visit("Cart", 72, 80)
    run.visit("Checkout", 80, 95, missed: [5, 5])
    run.snapshot(at: 95)
    run.visit("ProductDetail", 95, 108, missed: [18, 7])
    run.unmeasuredHang(at: 101, screen: "ProductDetail", reason: "shouldEmit_rejected")
    run.visit("Checkout", 108, 122, missed: [4])
    run.unmeasuredHang(at: 116, screen: "Checkout", reason: "measurement_cancelled")
    run.visit("OrderHistory", 122, 130)
    run.snapshot(at: 130)
    run.visit("Checkout", 130, 144, missed: [11])
    run.visit("Checkout", 144, 158, missed: [3, 8])
    run.leak("ProductGalleryViewController", dismissedAt: 150)
    run.visit("Home", 158, 166, .shownAgain)
    run.resignActive(at: 166, .withoutDuration)
    run.becomeActive(at: 178)
    run.visit("Home", 178, 185, .shownAgain)
    run.snapshot(at: 190)
    run.visit("ProductDetail", 185, 199)
    run.snapshot(at: 203)
    return [run]
  }

  /// Two short uses of the app clip; the second leaves before its first screen is measured.
  mutating func clip(_ device: SimulatorDevice) -> [SimulatorRun] {
    var first = run(device, at: 130)
    first.startUp(total: 0.92, premain: 0.3)
    first.visit("Home", 130.7, 138)
    first.visit("ProductDetail", 138, 149)
    first.visit("Checkout", 149, 158)
    first.enterBackground(at: 158)
    first.death = 165
    var second = run(device, at: 420)
    second.startUp(total: nil, premain: 0.3)
    second.visit("Home", 422, 430)
    second.visit("ProductDetail", 430, 441)
    second.enterBackground(at: 441)
    second.death = 450
    return [first, second]
  }
}
