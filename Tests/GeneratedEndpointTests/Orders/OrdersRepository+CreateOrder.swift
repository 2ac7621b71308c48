import Foundation
import Martlet

extension HTTPOrdersRepository {
    /// Sends `POST /users/{id}/orders`.
    func createOrder(
        id: UUID,
        payload: CreateOrder.Body
    ) async throws(HTTPError) -> CreateOrder.Response {
        try await client.send(CreateOrder(id: id, payload: payload))
    }
}
