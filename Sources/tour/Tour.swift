import FoundationEssentials
import Martlet
import MartletInspector
import MartletTesting

/// Runs all steps against its own servers.
struct Tour: Sendable {
    /// The step at which the server misbehaves and the tour must fail, or nil.
    var broken: String?
    var printer: Printer
    /// Waits at the end, while the inspector's page can be read.
    var readThePage: @Sendable (Inspector) async -> Void = { _ in }

    /// Runs every step and returns the names of the failed steps.
    func run() async throws -> [String] {
        let server = try await BirdServer.start(broken: broken)
        let inspector = try await Inspector.start(startsInReleaseBuilds: true)
        let client = HTTPClient(baseURL: server.main.url, observers: [inspector])
        let stage = Stage(client: client, server: server, inspector: inspector, printer: printer)
        printer.line("Martlet, on real sockets: \(server.main.url.absoluteString)")
        var failed: [String] = []
        for (index, step) in Step.all.enumerated() {
            printer.line("")
            printer.title("\(index + 1). \(step.title)")
            do {
                try await step.run(stage)
                printer.good("passed")
            } catch {
                printer.bad("\(error)")
                failed.append(step.name)
            }
        }
        await server.stop()
        printer.line("")
        if failed.isEmpty {
            printer.good("all \(Step.all.count) steps passed")
        } else {
            printer.bad("failed: \(failed.joined(separator: ", "))")
        }
        await readThePage(inspector)
        await inspector.stop()
        return failed
    }
}

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
