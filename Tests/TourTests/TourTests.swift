import MartletTesting
import Testing

@testable import tour

@Suite(.timeLimit(.minutes(5))) struct TourTests {
    func tour(broken: String? = nil, isTerminal: Bool = false) -> (tour: Tour, text: Recorder<String>) {
        let text = Recorder<String>()
        return (Tour(broken: broken, printer: Printer(isTerminal: isTerminal) { text.append($0) }), text)
    }

    @Test("Every step behaves, says what was asked and what happened, and is plain when piped")
    func whole() async throws {
        let (tour, text) = tour()
        #expect(try await tour.run() == [])
        let printed = text.values.joined()
        #expect(printed.contains("→ send(GetBird(id: 2))") && printed.contains("← Bird: Sand martin"))
        #expect(printed.contains("all \(Step.all.count) steps behaved"))
        #expect(!printed.contains("\u{1B}") && !printed.contains("\r"))
        #expect(!printed.contains("s3cret"))
    }

    @Test("On a terminal there is colour, and a progress bar that moves")
    func terminal() async throws {
        let (tour, text) = tour(isTerminal: true)
        #expect(try await tour.run() == [])
        #expect(text.values.contains { $0.hasPrefix("\u{1B}[1m") } && text.values.contains { $0.hasPrefix("\r") })
    }

    @Test("When the server misbehaves at a step, the tour fails there and nowhere else", arguments: Step.all.map(\.name))
    func broken(step: String) async throws {
        let (tour, text) = tour(broken: step)
        #expect(try await tour.run() == [step])
        #expect(text.values.joined().contains("did not behave: \(step)"))
    }
}
