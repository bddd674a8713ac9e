import Foundation
import Model

@testable import Ingest

/// Steps a followed file by hand and keeps what it yields.
final class FollowerProbe {
  private var file: FollowedFile
  private var now = Timestamp(seconds: 1_000)
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
  private var order: [Int] = []
  private var texts: [Int: [UInt8]] = [:]
  private(set) var paths: [Int: String] = [:]
  private(set) var settled: [Int] = []
  private(set) var ended: [Int] = []
  private(set) var overwritten: [Int] = []
  private(set) var problems: [String] = []

  init(_ path: String, tail: Int? = nil) {
    file = FollowedFile(path: path, tail: tail)
  }

  deinit { buffer.deallocate() }

  /// Lets time pass and looks until there is nothing more.
  func poll(afterSeconds seconds: Double = 0) {
    now = now.advanced(byNanoseconds: Int64(seconds * 1e9))
    while file.poll(now: now, buffer: buffer, deliver: { take($0) }) {}
  }

  private func take(_ output: FollowOutput) {
    switch output {
    case .began(let part, let path, _, _):
      order.append(part)
      paths[part] = path
      texts[part] = []
    case .bytes(let part, let bytes): texts[part]?.append(contentsOf: bytes)
    case .settled(let part): settled.append(part)
    case .ended(let part, let isOverwritten):
      ended.append(part)
      if isOverwritten { overwritten.append(part) }
    case .problem(let error): problems.append(error.text)
    case .unsuitable(let text): problems.append(text)
    }
  }

  /// The bytes of each part as text, in the order in which the parts began.
  var contents: [String] { order.map { String(decoding: texts[$0] ?? [], as: UTF8.self) } }
  /// File names of the parts in the order in which they began.
  var names: [String] { order.map { ((paths[$0] ?? "") as NSString).lastPathComponent } }
  /// Whole lines of all parts, sorted by part.
  var lines: [String] { contents.flatMap { $0.split(separator: "\n").map(String.init) } }
  var isAwaited: Bool { file.isAwaited }
  /// Seconds until the follower wants to be polled although nothing changes.
  var secondsToDeadline: Double? {
    file.deadline.map { Double($0.nanoseconds(since: now)) / 1e9 }
  }
}
