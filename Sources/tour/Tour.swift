import FoundationEssentials
import Martlet
import MartletTesting

/// The walk through the steps against a server of its own.
struct Tour: Sendable {
    /// The step at which the server misbehaves, so that the tour must fail there; nil for none.
    var broken: String?
    var printer: Printer

    /// Takes every step; gives the names of those that did not behave.
    func run() async throws -> [String] {
        let server = try await BirdServer.start(broken: broken)
        let stage = Stage(client: HTTPClient(baseURL: server.main.url), server: server, printer: printer)
        printer.line("Martlet, on real sockets: \(server.main.url.absoluteString)")
        var failed: [String] = []
        for (index, step) in Step.all.enumerated() {
            printer.line("")
            printer.title("\(index + 1). \(step.title)")
            do {
                try await step.run(stage)
                printer.good("as it should be")
            } catch {
                printer.bad("\(error)")
                failed.append(step.name)
            }
        }
        await server.stop()
        printer.line("")
        if failed.isEmpty {
            printer.good("all \(Step.all.count) steps behaved")
        } else {
            printer.bad("did not behave: \(failed.joined(separator: ", "))")
        }
        return failed
    }
}
