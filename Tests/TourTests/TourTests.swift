import MartletTesting
import Testing

@testable import tour

@Suite(.timeLimit(.minutes(5))) struct TourTests {
    func tour(broken: String? = nil, isTerminal: Bool = false) -> (tour: Tour, text: Recorder<String>) {
        let text = Recorder<String>()
        return (Tour(broken: broken, printer: Printer(isTerminal: isTerminal) { text.append($0) }), text)
    }

    @Test("Every step passes and prints its calls and results, without colours in a pipe")
    func whole() async throws {
        let (tour, text) = tour()
        let failed = try await tour.run(), printed = text.values.joined()
        #expect(failed == [], "\(printed)")
        #expect(printed.contains("→ send(GetBird(id: 2))") && printed.contains("← Bird: Sand martin"))
        #expect(printed.contains("all \(Step.all.count) steps passed"))
        #expect(!printed.contains("\u{1B}") && !printed.contains("\r"))
        #expect(!printed.contains("s3cret"))
    }

    @Test("On a terminal, the output has colours and a moving progress bar")
    func terminal() async throws {
        let (tour, text) = tour(isTerminal: true)
        #expect(try await tour.run() == [])
        #expect(text.values.contains { $0.hasPrefix("\u{1B}[1m") } && text.values.contains { $0.hasPrefix("\r") })
    }

    @Test("If the server misbehaves at a step, only that step fails", arguments: Step.all.map(\.name))
    func broken(step: String) async throws {
        let (tour, text) = tour(broken: step)
        let failed = try await tour.run()
        #expect(failed == [step], "\(text.values.joined())")
        #expect(text.values.joined().contains("failed: \(step)"))
    }
}
