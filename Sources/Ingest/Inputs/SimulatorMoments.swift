/// What happens while an app runs: screens, fragments, hangs, leaks, requests.
extension SimulatorRun {
  /// A block of the main thread that ends by itself.
  struct Block {
    var start: Double
    var length: Double
    var end: Double { start + length }
  }

  /// A hang that the app did not survive, as it is kept on disk for the next launch.
  struct FatalHang {
    var detection: Double
    var duration: Double
    var screen: String
    var sessionID: String
  }

  /// A screen is visible from `start` to `end`; `missed` are frames missed in a row, each time.
  mutating func visit(
    _ screen: String,
    _ start: Double,
    _ end: Double,
    _ appearance: Appearance = .opened,
    missed: [Int] = [],
    block: Block? = nil
  ) {
    let appeared = open(screen, start, end, appearance)
    var runs = missed
    for _ in 0..<random.integer(in: 0...2) { runs.append(random.integer(in: 2...5)) }
    if let block {
      runs.append(Int(block.length * Double(refreshRate)) - 1)
      hang(block, screen: screen)
    }
    note(missed: runs, between: (start + end) / 2, and: end, block: block)
    miss(runs)
    guard device.measuresRendering, end < death else { return }
    var frames = SimulatorFrames(refreshRate: refreshRate)
    frames.draw(seconds: end - appeared, missed: runs)
    var span = span(named: "screen-rendering.\(screen)", from: appeared, to: end + 0.02)
    span.attributes.insert(("screen.name", .string(screen)), at: 0)
    span.attributes += frames.attributes
    export(span, knownAt: span.end)
  }

  /// Measures the opening of a screen; returns when it appeared.
  private mutating func open(
    _ screen: String,
    _ start: Double,
    _ end: Double,
    _ appearance: Appearance
  ) -> Double {
    if case .shownAgain = appearance { return start }
    let tti = device.typicalTTI(of: screen) / 1000 * random.latencyFactor()
    let ttfr = tti * random.between(0.2, 0.45)
    var span = span(named: "screen-tti.\(screen)", from: start, to: start + tti + 0.012)
    if case .pending = appearance {
      // Before a screen adopts it, the measurement is exported without one.
      var snapshot = span
      snapshot.name = span.name.replacingStem(with: "screen-tti.pending")
      snapshot.end = start + 0.001
      snapshot.attributes.append(("perftop.in_progress", .bool(true)))
      export(snapshot, knownAt: snapshot.end)
      span.attributes.append(("screen.tti.custom_start", .bool(true)))
    }
    span.attributes.insert(("screen.name", .string(screen)), at: 0)
    if case .cancelled = appearance {
      span.status = .error("measurement_cancelled")
      span.end = start + ttfr
    } else {
      span.attributes += [
        ("screen.tti.ms", .int(milliseconds(tti))),
        ("screen.ttfr.ms", .int(milliseconds(ttfr))),
      ]
    }
    if case .neverReady = appearance { span.end = end }
    export(span, knownAt: span.end + 0.01)
    request("GET", SimulatorDevice.path(of: screen), at: start + 0.02, lasting: tti * 0.6)
    return start + ttfr
  }

  /// A measurement that was begun for a screen that never came.
  mutating func unadoptedScreen(at start: Double, reason: String) {
    var span = span(named: "screen-tti.pending", from: start, to: start + 1.2)
    span.status = .error(reason)
    export(span, knownAt: span.end)
  }

  mutating func fragment(_ name: String, at start: Double, typical: Double) {
    let tti = typical * random.latencyFactor()
    var span = span(named: "fragment-tti.\(name)", from: start, to: start + tti)
    span.attributes.insert(("fragment.name", .string(name)), at: 0)
    span.attributes += [
      ("fragment.tti.ms", .int(milliseconds(tti))),
      ("fragment.ttfr.ms", .int(milliseconds(tti * random.between(0.3, 0.7)))),
    ]
    export(span, knownAt: span.end + 0.01)
  }

  // MARK: Hangs

  /// Reported when the main thread is back: start at detection, end 3 s after the true end.
  private mutating func hang(_ block: Block, screen: String) {
    let detection = block.start + random.between(3.05, 3.6)
    var span = hangSpan(detection: detection, during: false, screen: screen)
    guard detection < block.end else { return }
    if device.exportsSnapshots {
      var snapshot = span
      snapshot.end = detection + 0.001
      export(snapshot, knownAt: snapshot.end)
    }
    let duration = block.end + 3 - detection
    span.end = detection + duration
    span.attributes += [
      ("hang.type", .string("non_fatal")), ("hang.duration.ms", .int(milliseconds(duration))),
    ]
    export(span, knownAt: block.end + 0.05)
  }

  /// A hang that the host's gate refuses or that another one interrupts keeps no type and duration.
  mutating func unmeasuredHang(at detection: Double, screen: String, reason: String) {
    var span = hangSpan(detection: detection, during: false, screen: screen)
    span.end = detection + 2.4
    span.status = .error(reason)
    export(span, knownAt: span.end)
  }

  /// The main thread stops and the process is killed without another word.
  mutating func freezeToDeath(from start: Double, screen: String) -> FatalHang {
    let detection = start + random.between(3.1, 3.8)
    let lastPoll = death - 0.6
    return FatalHang(
      detection: detection,
      duration: lastPoll + 3 - detection,
      screen: screen,
      sessionID: sessionID
    )
  }

  /// Sent right after the launch; `session.id` is the dead process's.
  mutating func report(_ hang: FatalHang) {
    var span = hangSpan(detection: hang.detection, during: false, screen: hang.screen)
    span.end = hang.detection + hang.duration
    span.attributes.removeAll { ["session.id", "session.previous_id"].contains($0.key) }
    for (index, attribute) in span.attributes.enumerated() where attribute.key == "app.session.id" {
      span.attributes[index].value = .string(hang.sessionID)
    }
    span.attributes += [
      ("hang.type", .string("fatal")),
      ("hang.duration.ms", .int(milliseconds(hang.duration))),
      ("session.id", .string(hang.sessionID)),
    ]
    export(span, knownAt: launch + Self.enableDelay)
  }

  /// Sent right after the launch, stamped with it.
  mutating func reportWatchdog(warnings: Int, state: String) {
    let time = launch + Self.enableDelay
    var span = span(named: "app-watchdog-termination", from: time, to: time)
    span.attributes += [
      ("memory.warnings_count", .int(warnings)), ("app.state", .string(state)),
    ]
    export(span, knownAt: time)
  }

  private func hangSpan(detection: Double, during startup: Bool, screen: String) -> SimulatorSpan {
    var span = span(named: "app-hang", from: detection, to: detection)
    span.attributes += [
      ("hang.during_startup", .bool(startup)),
      ("hang.top_screen", .string("\(screen)View")),
      ("app.session.id", .string(sessionID)),
    ]
    // No auto-termination key on purpose: a hang that the app does not survive stays unsent.
    span.attributes.removeAll { $0.key == "emb.auto_termination.code" }
    return span
  }

  // MARK: Leaks, requests, logs

  /// Logged two seconds after the controller was dismissed.
  mutating func leak(_ className: String, dismissedAt time: Double) {
    var log = SimulatorLog(time: time + 2.04, body: "view_controller_leak")
    log.severity = 13
    log.severityText = "WARN"
    let address = String(0x1_0400_0000 + random.integer(in: 0...0xFFF_FFFF) * 16, radix: 16)
    log.attributes =
      [
        ("vc.class_name", .string(className)),
        ("vc.identifier", .string("<Shop.\(className): 0x\(address)>")),
        ("app.startup.prewarmed", .bool(isPrewarmed)),
      ] + sessionAttributes
    export(log)
  }

  /// A request of URLSession; returns its span for children and parents.
  @discardableResult
  mutating func request(
    _ method: String,
    _ path: String,
    at start: Double,
    lasting seconds: Double,
    status: Int = 200,
    parent: SimulatorSpan? = nil
  ) -> SimulatorSpan {
    var span = span(named: "HTTP \(method)", from: start, to: start + seconds)
    span.scope = .network
    span.name = "HTTP \(method)"
    span.kind = .client
    if let parent {
      span.traceID = parent.traceID
      span.parentID = parent.spanID
    }
    span.attributes =
      [
        ("http.request.method", .string(method)),
        ("url.full", .string("https://api.shop.example\(path)")),
        ("server.address", .string("api.shop.example")),
        ("http.response.status_code", .int(status)),
      ] + sessionAttributes
    if status >= 500 {
      span.attributes.append(("error.type", .string("\(status)")))
      span.status = .error(nil)
    }
    export(span, knownAt: span.end)
    if seconds > 1 {
      let name = method == "GET" ? "api.get" : "api.post"
      note(name, at: span.end, milliseconds: milliseconds(seconds), detail: path)
    }
    return span
  }

  /// A span of the app's own instrumentation around what it awaits.
  mutating func operation(_ name: String, at start: Double, lasting seconds: Double)
    -> SimulatorSpan
  {
    var span = span(named: name, from: start, to: start + seconds)
    span.scope = .app
    span.name = name
    span.attributes = sessionAttributes + [("cart.value", .double(84.5)), ("cart.items", .int(3))]
    export(span, knownAt: span.end)
    return span
  }

  mutating func log(_ body: String, at time: Double, severity: Int, _ text: String) {
    var log = SimulatorLog(time: time, body: body)
    log.scope = .app
    log.severity = severity
    log.severityText = text
    log.attributes = sessionAttributes
    export(log)
  }

  /// The app's recorders note gaps from 120 ms on as hitches, and from 250 ms on as hangs.
  private mutating func note(
    missed runs: [Int],
    between low: Double,
    and high: Double,
    block: Block?
  ) {
    for (index, run) in runs.enumerated() {
      let isBlock = block != nil && index == runs.count - 1
      let gap = Double(run + 1) / Double(refreshRate)
      let time = random.between(low, high)
      if let block, isBlock {
        note("main.hang", at: block.end, milliseconds: milliseconds(block.length))
      } else if gap > 0.25 {
        note("main.hang", at: time, milliseconds: milliseconds(gap))
      } else if gap >= 0.12 {
        note("frame.hitch", at: time, milliseconds: milliseconds(gap))
      }
    }
  }
}

extension String {
  /// The name with its known part exchanged, the host's prefix kept.
  fileprivate func replacingStem(with stem: String) -> String {
    guard let range = firstRange(of: "screen-tti.") else { return stem }
    return String(self[..<range.lowerBound]) + stem
  }
}
