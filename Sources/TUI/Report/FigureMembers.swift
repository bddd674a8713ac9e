import Model

// Figures that several objects of the report have.
extension JSONWriter {
  mutating func frames(_ frames: FrameFigures) {
    member("total", frames.total)
    member("dropped", frames.dropped)
    member("slow", frames.slow)
    member("freezeMs", frames.freezeMilliseconds)
    member("onScreenMs", frames.onScreenMilliseconds)
  }

  mutating func percentiles(_ distribution: Distribution) {
    member("p50", distribution.quantile(0.5))
    member("p90", distribution.quantile(0.9))
    member("p95", distribution.quantile(0.95))
    member("p99", distribution.quantile(0.99))
    member("max", distribution.maximum)
  }

  /// What was received but not kept whole.
  mutating func cutMembers(_ quality: Quality) {
    member("truncatedValues", quality.truncatedValues)
    member("attachDropped", quality.attachDropped)
    member("hostAttributesDropped", quality.hostAttributesDropped)
    // Beyond the limits of tables.
    object("other") { json in
      json.member("texts", quality.otherTexts)
      json.member("resources", quality.otherResources)
      json.member("devices", quality.otherDevices)
      json.member("names", quality.otherNames)
    }
    // Counted in every figure, listed nowhere: the memory limit was reached.
    object("notKept") { json in
      json.member("records", quality.foldedRecords)
      json.member("sessions", quality.foldedSessions)
      json.member("launches", quality.foldedLaunches)
      json.member("hangs", quality.foldedHangs)
      json.member("late", quality.afterFolding)
    }
  }

  /// What parts the figures of a name; `overflow` says that the values were not kept.
  mutating func group(of figures: ScreenFigures, _ model: SessionModel) {
    member("group", model.groupText(figures))
    if figures.group == .overflow, !figures.isOverflow { member("overflow", true) }
  }
}
