import Martlet
import MartletInspector

/// A step of the tour, which demonstrates one feature and checks it.
struct Step: Sendable {
    /// The name for `--break`.
    let name: String
    let title: String
    /// Runs the step and prints what it does. Throws if the result is not the expected one.
    let run: @Sendable (Stage) async throws -> Void
}

/// The objects that a step uses.
struct Stage: Sendable {
    let client: HTTPClient
    let server: BirdServer
    /// Shows the calls of ``client`` and of the step "observe".
    let inspector: Inspector
    let printer: Printer
}

/// The failure of a step.
struct Misbehaviour: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Throws if a condition is false.
func check(_ holds: Bool, _ what: @autoclosure () -> String) throws {
    if !holds { throw Misbehaviour(what()) }
}
