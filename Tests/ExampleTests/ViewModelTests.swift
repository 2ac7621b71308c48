import Martlet
import MartletTesting
import Testing

/// Tests how a view model handles responses. No request is encoded or sent.
@MainActor
@Suite("Example: a view model, tested with HTTPClientMock", .timeLimit(.minutes(5)))
struct ViewModelTests {
    let wren = Bird(id: 1, name: "Wren")
    let martlet = Bird(id: 2, name: "Martlet")

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test("A busy server shows a message, and the next load shows the birds")
    func messageThenBirds() async throws {
        let mock = HTTPClientMock()
        mock.on(ListBirds.self, .status(503), .value([wren]))
        let model = BirdListModel(BirdRepository(http: mock))

        await model.load()
        guard case .failed(let message) = model.state else { Issue.record("\(model.state)"); return }
        #expect(!message.isEmpty)
        await model.load()

        #expect(model.state == .loaded([wren]))
        try mock.verify()
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test("The list reloads every minute until the view disappears")
    func eachMinute() async throws {
        let mock = HTTPClientMock()
        mock.on(ListBirds.self, .value([]), .value([wren]))
        let time = ManualTime(autoAdvances: false)
        let model = BirdListModel(BirdRepository(http: mock), time: time)
        let view = Task { await model.keepFresh() }

        try await time.waitForTimers()
        #expect(model.state == .loaded([]))
        time.advance(by: .seconds(60))
        try await time.waitForTimers()
        #expect(model.state == .loaded([wren]))
        view.cancel()
        await view.value

        #expect(mock.requested(ListBirds.self).count == 2 && time.sleeps == [.seconds(60), .seconds(60)])
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test("The favourite is a random bird of the list, and the same one for the same seed")
    func favourite() async {
        let mock = HTTPClientMock()
        mock.on(ListBirds.self, .value([wren, martlet]))
        var favourites: [Bird?] = []
        for seed in [1, 1, 2, 3, 4, 5] as [UInt64] {
            let model = BirdListModel(BirdRepository(http: mock), random: SeededRandom(seed: seed))
            await model.load()
            favourites.append(model.favourite)
        }
        #expect(favourites[0] == favourites[1] && favourites.contains(wren) && favourites.contains(martlet))
    }
}
