import Martlet

/// The API's calls for orders.
protocol OrdersRepository: Sendable {
    /// Sends `GET /users/{id}/orders`.
    func listOrders(
        id: Int,
        page: Int?,
        sort: String?,
        tag: [String]?
    ) async throws(HTTPError) -> ListOrders.Response
}

/// Sends the calls with an HTTP client. Tests pass an `HTTPClientMock`.
struct HTTPOrdersRepository: OrdersRepository {
    let client: any HTTPClientProtocol
}

extension HTTPOrdersRepository {
    /// Sends `GET /users/{id}/orders`.
    func listOrders(
        id: Int,
        page: Int? = nil,
        sort: String? = nil,
        tag: [String]? = nil
    ) async throws(HTTPError) -> ListOrders.Response {
        try await client.send(ListOrders(id: id, page: page, sort: sort, tag: tag))
    }
}
