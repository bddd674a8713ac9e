/// What the event loop needs of a terminal; `CursesTerminal` is the real one.
package protocol TerminalScreen: AnyObject {
  /// Becomes readable when keys wait.
  var inputDescriptor: Int32 { get }
  /// Becomes readable when signals arrived, as bytes of their numbers; -1 for none.
  var signalDescriptor: Int32 { get }
  var size: (width: Int, height: Int) { get }

  /// The keys that wait; never blocks.
  func readKeys() -> [Key]
  /// The signals that arrived since the last call.
  func readSignals() -> [Int32]
  /// Asks the terminal for its size; true when it has changed.
  func updateSize() -> Bool
  /// Shows a picture, sending only what differs from the last one.
  func show(_ grid: Grid)
  /// Forgets what the terminal shows, so that the next picture is drawn whole.
  func invalidate()
  /// Gives the terminal back, stops the process, and takes the terminal again when it goes on.
  func suspend()
  /// Takes the terminal again after somebody else stopped and continued the process.
  func resume()
}
