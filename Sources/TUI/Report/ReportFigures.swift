import Model

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
}
