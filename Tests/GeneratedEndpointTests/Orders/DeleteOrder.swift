import Martlet

/// `DELETE /users/{id}/orders/{order-id}`
struct DeleteOrder: Endpoint {
    typealias Response = EmptyResponse
    /// The value of `{id}` in the path.
    let id: String
    /// The value of `{order-id}` in the path.
    let orderID: String

    var path: Path { "users/\(id)/orders/\(orderID)" }
    var method: HTTPMethod { .delete }
}
