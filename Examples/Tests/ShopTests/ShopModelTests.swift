import Martlet
import MartletTesting
import Testing

@testable import Shop

/// Records the events.
@MainActor
final class RecordedAnalytics: Analytics {
    private(set) var events: [AnalyticsEvent] = []
    func record(_ event: AnalyticsEvent) { events.append(event) }
}

@MainActor
@Suite("The list of products", .timeLimit(.minutes(1)))
struct ProductListModelTests {
    let box = Product(id: 1, name: "Nest box", cents: 2450)
    let analytics = RecordedAnalytics()

    private func model(_ mock: HTTPClientMock) -> ProductListModel {
        ProductListModel(repository: RemoteShopRepository(mock), analytics: analytics)
    }

    @Test("Loading shows the products")
    func loaded() async {
        let mock = HTTPClientMock()
        mock.on(ListProducts.self, .value([box]))
        let model = model(mock)

        await model.load()

        #expect(model.products == [box] && model.problem == nil && analytics.events.isEmpty)
    }

    @Test("The model is loading until the response arrives")
    func loading() async throws {
        let time = ManualTime(autoAdvances: false), mock = HTTPClientMock(time: time)
        mock.on(ListProducts.self, .value([box]).delayed(by: .seconds(3)))
        let model = model(mock)

        let loading = Task { await model.load() }
        try await time.waitForTimers()
        #expect(model.isLoading && model.products == nil)
        time.advance(by: .seconds(3))
        await loading.value

        #expect(!model.isLoading && model.products == [box])
    }

    @Test("A busy server shows a message and is reported, and the next load shows the products")
    func busy() async throws {
        let mock = HTTPClientMock()
        mock.on(ListProducts.self, .status(503), .json(#"[{"id":1,"name":"Nest box","cents":2450}]"#))
        let model = model(mock)

        await model.load()
        #expect(model.problem == .init(message: "Server error. Please try again later.", canRetry: true))
        #expect(analytics.events == [AnalyticsEvent(screen: "products", reason: "serverError", fields: [])])
        await model.load()

        #expect(model.products == [box] && model.problem == nil)
        try mock.verify()
    }

    @Test("A failed refresh keeps the products")
    func refresh() async {
        let mock = HTTPClientMock()
        mock.on(ListProducts.self, .value([box]), .status(404))
        let model = model(mock)

        await model.load()
        await model.load()

        #expect(model.products == [box] && model.problem?.canRetry == false)
    }

    @Test("Leaving the view while it loads cancels the call, shows no message and reports nothing")
    func leaving() async throws {
        let time = ManualTime(autoAdvances: false), mock = HTTPClientMock(time: time)
        mock.on(ListProducts.self, .value([box]).delayed(by: .seconds(3)))
        let model = model(mock)

        let task = Task { await model.load() }  // as `.task` does
        try await time.waitForTimers()
        task.cancel()
        await task.value

        #expect(model.products == nil && model.problem == nil && !model.isLoading && analytics.events.isEmpty)
    }
}

@MainActor
@Suite("The form of an order", .timeLimit(.minutes(1)))
struct CheckoutModelTests {
    let mock = HTTPClientMock(), analytics = RecordedAnalytics()

    private func model() -> CheckoutModel {
        CheckoutModel(products: [1], repository: RemoteShopRepository(mock), analytics: analytics)
    }

    @Test("The fields that the server rejects get their messages, and analytics gets the names of the form's fields only")
    func fields() async {
        mock.on(
            PlaceOrder.self,
            .json(#"{"errors":[{"field":"email","message":"is not an address"},{"field":"voucher","message":"Too old"}]}"#, status: 422),
            .value(Order(number: "A-17")))
        let model = model()
        model.checkout.email = "ada"

        await model.submit()
        #expect(model.fieldMessages == [.email: "Email is not an address"] && model.message == "Voucher: Too old" && model.order == nil)
        #expect(analytics.events == [AnalyticsEvent(screen: "checkout", reason: "invalidFields", fields: [.email])])
        model.checkout.email = "ada@example.com"
        await model.submit()

        #expect(model.order == Order(number: "A-17") && model.fieldMessages.isEmpty && model.message == nil)
        #expect(mock.requested(PlaceOrder.self).map(\.checkout.email) == ["ada", "ada@example.com"])
    }

    @Test("A conflict says that the product is sold out")
    func soldOut() async {
        mock.on(PlaceOrder.self, .status(409))
        let model = model()

        await model.submit()

        #expect(model.message == ShopError.soldOut.errorDescription && analytics.events.map(\.reason) == ["soldOut"])
    }

    @Test("A second tap while the order is placed sends nothing")
    func twice() async throws {
        let time = ManualTime(autoAdvances: false), mock = HTTPClientMock(time: time)
        mock.on(PlaceOrder.self, .value(Order(number: "A-17")).delayed(by: .seconds(1)))
        let model = CheckoutModel(products: [1], repository: RemoteShopRepository(mock), analytics: analytics)

        let first = Task { await model.submit() }
        try await time.waitForTimers()
        await model.submit()
        time.advance(by: .seconds(1))
        await first.value

        #expect(model.order?.number == "A-17" && mock.requests.count == 1)
    }
}
