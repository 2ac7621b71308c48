import Martlet
import Observation

/// The state of the form with which a customer orders.
@Observable package final class CheckoutModel {
    package var checkout: Checkout
    /// The messages that the view shows at the fields.
    package private(set) var fieldMessages: [Checkout.Field: String] = [:]
    /// A message about the whole form.
    package private(set) var message: String?
    package private(set) var isSending = false
    package private(set) var order: Order?

    @ObservationIgnored private let repository: any ShopRepository
    @ObservationIgnored private let analytics: any Analytics

    package init(products: [Product.ID], repository: any ShopRepository, analytics: any Analytics) {
        checkout = Checkout(products: products)
        self.repository = repository
        self.analytics = analytics
    }

    /// Places the order. While one is being placed, further calls do nothing.
    package func submit() async {
        guard !isSending else { return }
        isSending = true
        defer { isSending = false }
        fieldMessages = [:]
        message = nil
        do {
            order = try await repository.place(checkout)
        } catch {  // error is ShopError
            show(error)
        }
    }

    private func show(_ error: ShopError) {
        message = error.errorDescription  // nil after a cancellation
        guard error != .cancelled else { return }
        if case .invalidFields(let errors) = error {
            for error in errors {
                guard let field = Checkout.Field(rawValue: error.field) else { continue }
                fieldMessages[field] = error.text
            }
            let others = errors.filter { Checkout.Field(rawValue: $0.field) == nil }
            if !others.isEmpty { message = others.map(\.text).joined(separator: "\n") }
        }
        analytics.record(AnalyticsEvent(screen: "checkout", error: error))
    }
}
