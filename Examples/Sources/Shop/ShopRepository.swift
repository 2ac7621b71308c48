import Foundation
import Martlet

/// The shop's data. View models depend on the protocol, so that previews can pass their own.
package protocol ShopRepository: Sendable {
    func products() async throws(ShopError) -> [Product]
    func place(_ checkout: Checkout) async throws(ShopError) -> Order
}

/// The data of the shop's server.
package nonisolated struct RemoteShopRepository: ShopRepository {
    private let api: APIClient<ShopError>

    /// Creates a repository over a client. A test passes an `HTTPClientMock`.
    package init(_ client: any HTTPClientProtocol) { api = client.mappingErrors(ShopErrorMapper()) }

    /// Creates the repository of the app. Its one client lives as long as the app.
    package init(baseURL: URL, time: any TimeSource = .system) {
        var standard = StandardInterceptors(headers: HeadersInterceptor.app(AppMetadata(name: "Shop", version: "1.0")))
        standard.idempotencyKeys = IdempotencyKeyInterceptor()  // an order whose response is lost is sent again, and placed once
        self.init(HTTPClient(baseURL: baseURL, interceptors: standard.list, time: time))
    }

    package func products() async throws(ShopError) -> [Product] { try await api.send(ListProducts()) }

    package func place(_ checkout: Checkout) async throws(ShopError) -> Order { try await api.send(PlaceOrder(checkout: checkout)) }
}
