/// What the user of the phone does: shops, freezes the reviews, runs out of memory, comes back.
///
/// Three launches in ten minutes: one that ends in a fatal hang, one that the system ends for memory,
/// and one that is still running. Seconds count from the beginning of the ten minutes.
struct SimulatorPhoneStory {
  let device: SimulatorDevice
  var random: SimulatorRandom
  var previousSessionID: String?

  mutating func runs() -> [SimulatorRun] {
    var first = run(at: 0.4)
    let hang = shopUntilTheReviewsFreeze(&first)
    var second = run(at: 246)
    second.report(hang)
    browseUntilMemoryIsGone(&second)
    var third = run(at: 372)
    third.reportWatchdog(warnings: 3, state: "active")
    comeBack(&third)
    return [first, second, third]
  }

  private mutating func run(at launch: Double) -> SimulatorRun {
    let run = SimulatorRun(
      device: device,
      launch: launch,
      previousSessionID: previousSessionID,
      random: &random
    )
    previousSessionID = run.sessionID
    return run
  }

  private func shopUntilTheReviewsFreeze(_ run: inout SimulatorRun) -> SimulatorRun.FatalHang {
    run.death = 239.2
    run.startUp(total: 1.38, premain: 0.41)
    run.becomeActive(at: 1.9)
    run.visit("Home", 1.2, 11)
    run.fragment("RecommendationCarousel", at: 1.9, typical: 0.42)
    connectChat(&run, at: 2.4)
    run.visit("Search", 11, 19)
    run.visit("ProductDetail", 19, 31, missed: [9])
    run.fragment("ReviewsSummary", at: 19.4, typical: 0.61)
    run.leak("ProductGalleryViewController", dismissedAt: 31)
    run.visit("ProductDetail", 31.4, 42)
    run.visit("Cart", 42, 50)
    readChat(&run, at: 46)
    run.visit("Checkout", 50, 66, missed: [12, 7])
    placeOrder(&run, at: 60.2)
    run.visit("OrderHistory", 66, 74)
    run.visit("Größentabelle", 74, 79, .neverReady)
    run.visit("ProductDetail", 79, 95)
    // Control Center: the session splits, the visit does not.
    run.resignActive(at: 95, .clean)
    run.becomeActive(at: 97.1)
    run.note("socket.reconnect", at: 97.6)
    run.visit("ProductDetail", 97.1, 104, .shownAgain)
    run.visit("Cart", 104, 110)
    run.visit("Checkout", 110, 132, block: .init(start: 117, length: 4.6))
    run.visit("OrderHistory", 132, 139)
    run.visit("Home", 139, 150, .shownAgain)
    run.resignActive(at: 150, .clean)
    run.enterBackground(at: 150)
    run.becomeActive(at: 190.2)
    connectChat(&run, at: 190.6)
    run.visit("Home", 190.2, 198, .shownAgain)
    run.visit("Search", 198, 209)
    run.visit("Reviews", 209, 250)
    run.tornNote("image.load", at: 227.9, keptByteCount: 29)
    return run.freezeToDeath(from: 228, screen: "Reviews")
  }

  private func browseUntilMemoryIsGone(_ run: inout SimulatorRun) {
    let gallery = "ProductGalleryViewController"
    run.death = 362.4
    run.startUp(total: 2.94, premain: 0.66)
    run.becomeActive(at: 249.1)
    connectChat(&run, at: 249.6)
    run.visit("Home", 248.6, 256)
    run.visit("ProductDetail", 256, 266)
    run.leak(gallery, dismissedAt: 266)
    run.visit("ProductDetail", 266, 275)
    run.leak(gallery, dismissedAt: 275)
    run.visit("Checkout", 275, 288)
    run.visit("ProductDetail", 288, 300)
    readChat(&run, at: 291)
    run.leak(gallery, dismissedAt: 299.7)
    run.resignActive(at: 300, .clean)
    run.enterBackground(at: 300)
    run.becomeActive(at: 318)
    run.note("socket.reconnect", at: 318.9)
    run.visit("ProductDetail", 318, 326, .shownAgain)
    run.leak(gallery, dismissedAt: 326)
    run.visit("ProductDetail", 326, 335, missed: [14])
    run.leak(gallery, dismissedAt: 335)
    run.visit("StoreMap", 335, 344)
    run.log("Memory warning", at: 343, severity: 13, "WARN")
    run.visit("ProductDetail", 344, 353, missed: [22])
    run.leak(gallery, dismissedAt: 353)
    run.leak(
      "UIHostingController<ModifiedContent<AnyView, RootModifier>>",
      dismissedAt: 353
    )
    run.log("Memory warning", at: 356.1, severity: 13, "WARN")
    run.visit("Reviews", 353, 370)
  }

  private func comeBack(_ run: inout SimulatorRun) {
    run.startUp(total: 1.21, premain: 0.38)
    run.becomeActive(at: 373.6)
    connectChat(&run, at: 374)
    run.note("metrickit.metric", at: 374.6, detail: "24 h, 1 launch, 3 hangs")
    run.note("metrickit.diagnostic", at: 374.7, detail: "1 hang")
    run.visit("Home", 373.2, 380)
    run.visit("Search", 380, 384, .cancelled)
    run.visit("Search", 384.5, 390, .cancelled)
    run.visit("ProductDetail", 390, 398)
    run.visit("Checkout", 398, 412)
    run.visit("Cart", 412, 418)
    run.visit("OrderHistory", 418, 424)
    run.request("GET", "/v3/orders/recent", at: 419, lasting: 1.34, status: 503)
    run.visit("Home", 424, 432, .shownAgain)
    run.resignActive(at: 432, .clean)
    run.becomeActive(at: 445)
    run.note("socket.reconnect", at: 446.2)
    run.visit("StoreMap", 445, 453)
    run.visit("Home", 453, 462, .shownAgain)
    run.resignActive(at: 462, .rejected)
    run.becomeActive(at: 473)
    run.visit("Home", 473, 478, .shownAgain)
    run.visit("Search", 478, 486)
    readChat(&run, at: 481)
    run.visit("ProductDetail", 486, 500)
    run.leak("CartViewController", dismissedAt: 506)
    run.visit("Cart", 500, 507)
    run.visit("Checkout", 507, 525, missed: [16, 9])
    placeOrder(&run, at: 519)
    run.visit("OrderHistory", 525, 532)
    run.visit("Home", 532, 540, .shownAgain)
    run.resignActive(at: 540, .clean)
    run.enterBackground(at: 540)
    run.becomeActive(at: 552)
    connectChat(&run, at: 552.3)
    run.visit("Home", 552, 560, .shownAgain)
    run.visit("Search", 560, 568)
    run.visit("ProductDetail", 568, 580)
    run.fragment("ReviewsSummary", at: 568.4, typical: 0.61)
    run.visit("Checkout", 580, 590, missed: [8])
    run.visit("Home", 590, 599.6, .shownAgain)
    run.resignActive(at: 599.6, .clean)
    run.enterBackground(at: 599.6)
  }

  /// The support chat comes up: its seams are over their budgets on this network.
  private func connectChat(_ run: inout SimulatorRun, at time: Double) {
    run.slowSeam("threads.hydrate", at: time, budget: 500, detail: "48 rows")
    run.slowSeam("socket.connect", at: time + 0.3, budget: 3000)
    run.slowSeam("threads.refresh", at: time + 0.5, budget: 2500, detail: "48 rows")
  }

  private func readChat(_ run: inout SimulatorRun, at time: Double) {
    run.slowSeam("feed.openThread", at: time, budget: 1500, detail: "200 rows")
    run.slowSeam("feed.foldPage", at: time + 0.2, budget: 250, detail: "200 rows")
    run.slowSeam("image.load", at: time + 1, budget: 1000)
    run.slowSeam("image.load", at: time + 1.1, budget: 1000)
  }

  private func placeOrder(_ run: inout SimulatorRun, at time: Double) {
    let order = run.operation("checkout.placeOrder", at: time, lasting: 2.1)
    run.request("POST", "/v3/orders", at: time + 0.2, lasting: 1.45, parent: order)
    run.log("Order placed", at: time + 2.1, severity: 9, "INFO")
  }
}

extension SimulatorRun {
  /// A seam of the ledger that began at `start` and took longer than its budget in milliseconds.
  mutating func slowSeam(_ name: String, at start: Double, budget: Int, detail: String? = nil) {
    let milliseconds = Int(Double(budget) * random.between(1.02, 1.9))
    note(
      name,
      at: start + Double(milliseconds) / 1000,
      milliseconds: milliseconds,
      detail: detail
    )
  }
}
