import Foundation
import Martlet
import MartletTesting
import Testing

@Suite("DELETE /users/{id}/orders/{order-id}", .timeLimit(.minutes(1)))
struct DeleteOrderTests {
    @Test("The call sends the request")
    func call() async throws {
        let mock = HTTPClientMock()
        mock.on(DeleteOrder.self, .status(204))
        try await HTTPOrdersRepository(client: mock).deleteOrder(id: "a/b", orderID: "a/b2")

        let request = try #require(mock.requests.first)
        #expect(request.method == .delete)
        #expect(request.target == "/users/a%2Fb/orders/a%2Fb2")
        #expect(request.body == nil)
    }

    @Test("A status that is not accepted is thrown")
    func failure() async throws {
        let mock = HTTPClientMock()
        mock.on(DeleteOrder.self, .status(404))
        let error = await #expect(throws: HTTPError.self) {
            try await HTTPOrdersRepository(client: mock).deleteOrder(id: "a/b", orderID: "a/b2")
        }
        #expect(error?.status == .notFound)
    }
}
