import Observation

/// The state of the list of products.
@Observable package final class ProductListModel {
    /// A failure as the view shows it.
    package struct Problem: Equatable {
        package let message: String
        package let canRetry: Bool
    }

    /// The products, or nil before they have been loaded once. They stay visible while they are loaded again.
    package private(set) var products: [Product]?
    package private(set) var problem: Problem?
    package private(set) var isLoading = false

    @ObservationIgnored private let repository: any ShopRepository
    @ObservationIgnored private let analytics: any Analytics

    package init(repository: any ShopRepository, analytics: any Analytics) {
        self.repository = repository
        self.analytics = analytics
    }

    /// Loads the products. A view calls it in `.task`, which cancels it when the user leaves, and in `.refreshable`.
    package func load() async {
        isLoading = true
        defer { isLoading = false }
        do {
            products = try await repository.products()
            problem = nil
        } catch {  // error is ShopError
            guard let message = error.errorDescription else { return }  // cancelled: the user has left
            problem = Problem(message: message, canRetry: error.isRetryable)
            analytics.record(AnalyticsEvent(screen: "products", error: error))
        }
    }
}
