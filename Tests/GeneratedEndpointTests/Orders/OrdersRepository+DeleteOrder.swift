import Martlet

extension HTTPOrdersRepository {
    /// Sends `DELETE /users/{id}/orders/{order-id}`.
    func deleteOrder(id: String, orderID: String) async throws(HTTPError) {
        try await client.send(DeleteOrder(id: id, orderID: orderID))
    }
}
