import Foundation
import TUI
import TestSupport
import Testing

@Test func timelineScratch() {
  for (w, h) in [(80, 24), (120, 36), (60, 15), (40, 10)] {
    let state = TimelineStory.state(TimelineStory.shop(), width: w, height: h)
    print(GridText.plain(Picture.draw(state)))
  }
}
