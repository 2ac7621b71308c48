// The view models of a shop over the whole client: a busy server, a form with mistakes, an order, and the analytics of errors.
import CommandLineSupport
import Foundation
import Martlet
import MartletMockServer
import MartletTesting
import Shop

let program = Program("shop-demo", "Shows the products of a shop, and orders one of its scripted server.")
let arguments = program.arguments()

/// Prints the events.
@MainActor final class PrintedAnalytics: Analytics {
    private(set) var events: [AnalyticsEvent] = []

    func record(_ event: AnalyticsEvent) {
        events.append(event)
        print("analytics: \(event.screen) \(event.reason) \(event.fields.map(\.rawValue).joined(separator: ", "))")
    }
}

/// Loads the products and prints what the view shows.
@MainActor func show(_ list: ProductListModel) async {
    await list.load()
    for product in list.products ?? [] { print("\(product.name): \(product.cents) cents") }
    if let problem = list.problem { print(problem.message) }
}

let analytics = PrintedAnalytics()
if let url = arguments.baseURL {
    let list = ProductListModel(repository: RemoteShopRepository(baseURL: url), analytics: analytics)
    await show(list)
    if let problem = list.problem { program.fail(problem.message) }
} else {
    let server = try await startServer(), time = ManualTime()
    let repository = RemoteShopRepository(baseURL: server.url, time: time)

    // The client retries twice. Then the user sees a message and tries again.
    let list = ProductListModel(repository: repository, analytics: analytics)
    await show(list)
    precondition(list.products == nil && list.problem?.canRetry == true && time.sleeps.count == 2)
    await show(list)
    precondition(list.products?.map(\.name) == ["Nest box", "Field guide"] && list.problem == nil)

    let checkout = CheckoutModel(products: [1], repository: repository, analytics: analytics)
    checkout.checkout.name = "Ada"
    checkout.checkout.email = "ada"
    await checkout.submit()
    for (field, message) in checkout.fieldMessages.sorted(by: { $0.key.rawValue < $1.key.rawValue }) { print("\(field): \(message)") }
    precondition(checkout.fieldMessages[.email] == "Email must be an email address" && checkout.fieldMessages.count == 2)

    checkout.checkout.email = "ada@example.com"
    checkout.checkout.street = "Chimney Lane 1"
    await checkout.submit()
    print("order \(checkout.order?.number ?? "none")")
    precondition(checkout.order?.number == "A-17" && checkout.fieldMessages.isEmpty && checkout.message == nil)

    let soldOut = CheckoutModel(products: [2], repository: repository, analytics: analytics)
    soldOut.checkout = checkout.checkout
    soldOut.checkout.products = [2]
    await soldOut.submit()
    print(soldOut.message ?? "")
    precondition(analytics.events.map(\.reason) == ["serverError", "invalidFields", "soldOut"])
    precondition(analytics.events[1].fields == [.email, .street])
}
