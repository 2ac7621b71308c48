import Martlet
import MartletTesting
import Testing

@testable import BirdList

@MainActor
@Suite("The list of birds", .timeLimit(.minutes(1)))
struct BirdListModelTests {
    let swift = Bird(id: 1, name: "Common swift")
    let mock = HTTPClientMock()

    @Test("Loading shows the birds")
    func birds() async {
        mock.on(ListBirds.self, .value([swift]))
        let model = BirdListModel(http: mock)

        await model.load()

        #expect(model.birds == [swift] && model.message == nil)
    }

    @Test("A busy server shows a message, and the next load shows the birds")
    func busy() async throws {
        mock.on(ListBirds.self, .status(503), .json(#"[{"id":1,"name":"Common swift"}]"#))
        let model = BirdListModel(http: mock)

        await model.load()
        #expect(model.message == APIError.serverError(503).errorDescription && model.birds.isEmpty)
        await model.load()

        #expect(model.message == nil && model.birds == [swift])
        try mock.verify()
    }

    @Test("The model is loading until the response arrives")
    func loading() async throws {
        let time = ManualTime(autoAdvances: false), mock = HTTPClientMock(time: time)
        mock.on(ListBirds.self, .value([swift]).delayed(by: .seconds(3)))
        let model = BirdListModel(http: mock)

        let loading = Task { await model.load() }
        try await time.waitForTimers()
        #expect(model.isLoading)
        time.advance(by: .seconds(3))
        await loading.value

        #expect(!model.isLoading && model.birds == [swift])
    }

    @Test("Leaving the view while loading shows no error")
    func cancelled() async throws {
        mock.on(ListBirds.self, .failure(.cancelled))
        let model = BirdListModel(http: mock)

        await model.load()

        #expect(model.message == nil)
    }
}
