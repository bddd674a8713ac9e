import Foundation
import Testing

@testable import Ingest

@Suite("The files of a folder")
struct DirectoryListingTests {
  @Test("are found at any depth in the order of their bytes, without links and dotfiles")
  func listing() throws {
    let folder = try TemporaryFolder()
    for name in ["b", "a/z", "a/é", "a/y/x", "a.txt", "B", ".hidden", "a/.git/config", "empty"] {
      try folder.write(name == "empty" ? "" : "x", to: name)
    }
    try folder.link("link", to: "b")
    try folder.link("linked-folder", to: "a")
    var problems: [String] = []
    let files = DirectoryListing.files(in: folder.path) { path, _ in problems.append(path) }
    let names = files.map { String($0.dropFirst(folder.path.count + 1)) }
    #expect(names == ["B", "a.txt", "a/y/x", "a/z", "a/é", "b", "empty"])
    #expect(problems.isEmpty)
  }

  @Test("a slash at the end of the folder changes nothing")
  func slash() throws {
    let folder = try TemporaryFolder()
    try folder.write("x", to: "a")
    let files = DirectoryListing.files(in: folder.path + "/") { _, _ in }
    #expect(files == [folder.path("a")])
  }

  @Test("a folder that is not there is told")
  func missing() {
    var errors: [SystemError] = []
    let files = DirectoryListing.files(in: "/nowhere/at/all") { _, error in errors.append(error) }
    #expect(files.isEmpty)
    #expect(errors.map(\.text) == ["no such file"])
  }
}
