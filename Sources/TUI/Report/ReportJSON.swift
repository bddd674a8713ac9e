package import Model

/// The report as one JSON object of schema `perftop.report/1`: an absent key means unknown, never zero.
package struct ReportJSON {
  private let model: SessionModel
  private let overview: Overview
  private let filter: RecordFilter
  /// Nil: those of the overview, found while the figures are written.
  private let findings: Findings?
  private let ids: ReportIdentifiers

  /// `filter` is what the overview was made with, to be named.
  package init(
    model: SessionModel,
    overview: Overview,
    findings: Findings? = nil,
    filter: RecordFilter = RecordFilter()
  ) {
    self.model = model
    self.overview = overview
    self.findings = findings
    self.filter = filter
    ids = ReportIdentifiers(model: model, overview: overview)
  }

  /// The object as UTF-8, without a line end.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    write { bytes.append(contentsOf: $0) }
    return bytes
  }

  /// Hands the object over in pieces, without a line end.
  ///
  /// `atOnce` is asked to run it in two halves; the second is kept until the first is written.
  package func write(
    atOnce: TwoAtOnce = inSequence,
    to sink: (UnsafeBufferPointer<UInt8>) -> Void
  ) {
    nonisolated(unsafe) var rest: [[UInt8]] = []
    withoutActuallyEscaping(sink) { sink in
      atOnce(
        {
          var json = JSONWriter(sink: sink)
          writeFigures(&json)
          json.finish()
        },
        {
          var json = JSONWriter(depth: 1, needsComma: true) { rest.append(Array($0)) }
          let findings = findings ?? model.findings(overview)
          FindingsJSON(model, overview, findings, ids).write(&json)
          json.endObject()
          json.finish()
        }
      )
    }
    for piece in rest { piece.withUnsafeBufferPointer(sink) }
  }

  private func writeFigures(_ json: inout JSONWriter) {
    json.beginObject()
    json.member("schema", "perftop.report/1")
    if !filter.isEmpty { writeFilter(&json) }
    json.member("groupBy", model.options.groupBy?.word)
    quality(&json)
    sources(&json)
    json.spools(model.spools)
    signals(&json)
    sessions(&json)
    launches(&json)
    startup(&json)
    screens(&json, "screens", overview.screens, withRendering: true)
    screens(&json, "fragments", overview.fragments, withRendering: false)
    HangsJSON(model, overview, ids).write(&json)
    leaks(&json)
    ledger(&json)
    spans(&json)
  }

  /// What the figures are restricted to; `quality` and `sources` are of everything.
  private func writeFilter(_ json: inout JSONWriter) {
    json.object("filter") { json in
      if filter.expression != nil { json.member("expression", filter.text) }
      if let since = filter.since { json.member("since", time: since.resolved(now: overview.now)) }
      if let until = filter.until { json.member("until", time: until.resolved(now: overview.now)) }
      json.member("records", overview.selection?.count)
      let isEmpty = overview.selection?.count == 0
      let told = [isEmpty ? "nothing matches the filter" : nil, overview.quality.note(on: filter)]
        .compactMap { $0 }
      if !told.isEmpty { json.member("text", told.joined(separator: ", ")) }
    }
  }

  private func quality(_ json: inout JSONWriter) {
    let quality = overview.quality
    json.object("quality") { json in
      json.object("received") { json in
        json.member("spans", quality.receivedSpans)
        json.member("logs", quality.receivedLogs)
        json.member("ledgerEvents", quality.receivedLedgerEvents)
        json.member("metricPayloads", quality.metricPayloads)
        json.member("diagnosticPayloads", quality.diagnosticPayloads)
        json.member("metricPoints", quality.metricPoints)
        json.member("profiles", quality.profiles)
      }
      json.member("malformed", quality.malformed)
      json.member("notTelemetry", quality.notTelemetry)
      json.member("incomplete", quality.incomplete)
      json.member("duplicates", quality.duplicates)
      json.member("replaced", quality.replaced)
      json.member("renamed", quality.renamed)
      json.member("duplicateLogs", quality.duplicateLogs)
      json.member("rejected", quality.rejected)
      json.member("statusUnknown", quality.statusUnknown)
      json.member("outOfOrder", quality.outOfOrder)
      json.member("late", quality.late)
      json.member("clockSuspect", quality.clockSuspect)
      json.cutMembers(quality)
      json.member("spoolDropped", quality.spoolDropped)
    }
  }

  private func sources(_ json: inout JSONWriter) {
    json.array("sources", model.namedSources) { json, source in
      json.object { json in
        json.member("name", source.name)
        json.member("kind", source.opened.isSpooled ? SourceKind.spool.word : source.kind.word)
        if source.opened.isSpooled { json.member("content", source.kind.word) }
        json.member("bytes", Int(clamping: source.bytesRead))
        json.member("records", source.records)
        json.member("malformed", source.malformed)
        guard let problem = source.firstProblem else { return }
        json.object("firstProblem") { json in
          if problem.line > 0 { json.member("line", Int(clamping: problem.line)) }
          json.member("offset", Int(clamping: problem.offset))
          json.member("text", problem.text)
        }
      }
    }
  }

  /// Distinct spans per signal, copies merged.
  private func signals(_ json: inout JSONWriter) {
    json.object("signals") { json in
      let counts = overview.signalCounts
      json.member("app-startup", counts[Int(Signal.appStartup.rawValue)])
      json.member("screen-tti", counts[Int(Signal.screenTTI.rawValue)])
      json.member("fragment-tti", counts[Int(Signal.fragmentTTI.rawValue)])
      json.member("screen-rendering", counts[Int(Signal.screenRendering.rawValue)])
      json.member("app-rendering", counts[Int(Signal.appRendering.rawValue)])
      json.member("app-hang", counts[Int(Signal.appHang.rawValue)])
      json.member("app-watchdog-termination", counts[Int(Signal.watchdogTermination.rawValue)])
      json.member("other", counts[Int(Signal.otherSpan.rawValue)])
    }
  }

  private func sessions(_ json: inout JSONWriter) {
    json.array("sessions") { json in
      for index in overview.streams.indices { sessions(&json, of: overview.streams[index]) }
    }
  }

  private func sessions(_ json: inout JSONWriter, of summary: borrowing StreamSummary) {
    for visit in summary.visits.indices {
      let sessions = summary.visits[visit].sessions
      for index in sessions { session(&json, summary, index, visit: sessions.lowerBound) }
    }
  }

  private func session(
    _ json: inout JSONWriter,
    _ summary: borrowing StreamSummary,
    _ index: Int,
    visit first: Int
  ) {
    json.beginObject()
    ids.session(&json, "id", summary, index)
    ids.session(&json, "visit", summary, first)
    write(&json, summary.sessions[index], of: summary)
    json.endObject()
  }

  private func write(
    _ json: inout JSONWriter,
    _ session: borrowing Session,
    of summary: borrowing StreamSummary
  ) {
    json.member("sessionId", ids.present(session.sessionID))
    if let launch = session.launch { ids.launch(&json, "launch", summary, launch) }
    ids.identity(&json, session.resource, summary.stream)
    ids.system(&json, session.resource)
    json.member("state", session.state.rawValue)
    json.member("reason", session.reason)
    json.member("start", time: session.start)
    json.member("end", time: session.end)
    // Of a process of which only its death is told it is unknown.
    if !session.isImplicit || session.end > session.start {
      json.member("durationMs", session.durationMilliseconds)
    }
    if let frames = session.frames {
      json.object("frames") { json in
        json.frames(frames)
        json.member("droppedRatio", frames.droppedRatio)
        json.member("freezeMsPerSecond", frames.freezeMillisecondsPerSecond)
        json.member("impliedHz", frames.impliedHertz)
        json.member("effectiveFps", frames.effectiveFrameRate)
        json.member("coverage", frames.coverage(ofNanoseconds: session.end - session.start))
      }
    }
    json.object("hangs") { json in
      json.member("fatal", session.fatalHangs)
      json.member("nonFatal", session.nonFatalHangs)
      json.member("totalMs", session.hangMilliseconds)
    }
    json.member("leaks", session.leaks)
    json.member("screens", session.screens)
  }

  private func launches(_ json: inout JSONWriter) {
    json.array("launches") { json in
      for index in overview.streams.indices { launches(&json, of: overview.streams[index]) }
    }
  }

  private func launches(_ json: inout JSONWriter, of summary: borrowing StreamSummary) {
    for index in summary.launches.indices { launch(&json, summary, index) }
  }

  private func launch(
    _ json: inout JSONWriter,
    _ summary: borrowing StreamSummary,
    _ index: Int
  ) {
    let launch = summary.launches[index]
    json.beginObject()
    ids.launch(&json, "id", summary, index)
    ids.identity(&json, launch.resource, summary.stream)
    json.member("start", time: launch.start)
    json.member("totalMs", launch.totalMilliseconds)
    json.member("premainMs", launch.premainMilliseconds)
    json.member("mainMs", launch.mainMilliseconds)
    if launch.isMeasured { json.member("prewarmed", launch.isPrewarmed) }
    json.member("previousExit", launch.previousExit.rawValue)
    json.endObject()
  }

  private func startup(_ json: inout JSONWriter) {
    json.object("startup") { json in
      json.member("count", overview.startup.total.count)
      json.member("prewarmed", overview.startup.prewarmed)
      json.member("rejected", overview.startup.rejected)
      json.member("cancelled", overview.startup.cancelled)
      json.member("suspect", overview.startup.suspect)
      json.percentiles(overview.startup.total)
    }
  }

  private func screens(
    _ json: inout JSONWriter,
    _ key: StaticString,
    _ figures: [ScreenFigures],
    withRendering: Bool
  ) {
    json.array(key, figures) { json, figure in
      json.object { json in
        named(&json, figure.name, figure.isOverflow)
        json.member("app", model.text(figure.app))
        json.group(of: figure, model)
        json.object("tti") { json in
          json.member("count", figure.tti.count)
          json.member("cancelled", figure.cancelled)
          if withRendering {
            json.member("readyFallback", figure.readyFallback)
            json.member("customStart", figure.customStart)
          }
          json.percentiles(figure.tti)
        }
        json.object("ttfr") { json in
          json.member("count", figure.ttfr.count)
          json.percentiles(figure.ttfr)
        }
        guard withRendering else { return }
        json.object("rendering") { json in
          json.member("visits", figure.visits)
          guard let frames = figure.frames else { return }
          json.frames(frames)
          json.member("freezeMsPerSecond", frames.freezeMillisecondsPerSecond)
        }
      }
    }
  }

  private func named(_ json: inout JSONWriter, _ name: Symbol, _ isOverflow: Bool) {
    json.member("name", isOverflow ? "other" : model.text(name))
    if isOverflow { json.member("overflow", true) }
  }

  private func leaks(_ json: inout JSONWriter) {
    json.array("leaks", overview.leaks) { json, leak in
      json.object { json in
        json.member("class", model.text(leak.className))
        json.member("app", model.text(leak.app))
        json.member("count", leak.count)
        json.member("instances", leak.instances)
        guard leak.firstSeen <= leak.lastSeen else { return }
        json.member("firstSeen", time: leak.firstSeen)
        json.member("lastSeen", time: leak.lastSeen)
      }
    }
  }

  private func ledger(_ json: inout JSONWriter) {
    json.array("ledger", overview.ledger) { json, figure in
      json.object { json in
        json.member("name", model.text(figure.name))
        json.member("kind", figure.kind.ledgerKind)
        json.member("count", figure.count)
        json.member("p50", figure.duration.quantile(0.5))
        json.member("p90", figure.duration.quantile(0.9))
        json.member("max", figure.duration.maximum)
        json.member("budgetMs", figure.budget)
        json.member("censored", figure.isCensored)
      }
    }
  }

  private func spans(_ json: inout JSONWriter) {
    json.array("spans", overview.spans) { json, figure in
      json.object { json in
        named(&json, figure.name, figure.isOverflow)
        json.member("app", model.text(figure.app))
        json.member("count", figure.count)
        json.percentiles(figure.duration)
        json.member("errors", figure.errors)
      }
    }
  }
}
