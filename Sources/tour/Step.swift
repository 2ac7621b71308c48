import Martlet

/// One stop of the tour: what it shows, and how it is shown and checked.
struct Step: Sendable {
    /// What `--break` calls it.
    let name: String
    let title: String
    /// Does it, says what was asked and what happened, and throws when that is not what should happen.
    let run: @Sendable (Stage) async throws -> Void
}

/// What a step has to work with.
struct Stage: Sendable {
    let client: HTTPClient
    let server: BirdServer
    let printer: Printer
}

/// A step that did not behave.
struct Misbehaviour: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Throws when something that should hold does not.
func check(_ holds: Bool, _ what: @autoclosure () -> String) throws {
    if !holds { throw Misbehaviour(what()) }
}
