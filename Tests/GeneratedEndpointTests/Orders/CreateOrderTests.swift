import Foundation
import Martlet
import MartletTesting
import Testing

@Suite("POST /users/{id}/orders", .timeLimit(.minutes(1)))
struct CreateOrderTests {
    @Test("The call sends the request and decodes the response")
    func call() async throws {
        let mock = HTTPClientMock()
        mock.on(CreateOrder.self, .json(responseSample))
        let payload = try JSONBodyDecoder.json
            .decode(CreateOrder.Body.self, from: Data(bodySample.utf8))
        let response = try await HTTPOrdersRepository(client: mock).createOrder(
            id: #require(UUID(uuidString: "0B5D1E7A-2C34-4F6B-8A9D-000000000000")),
            payload: payload
        )

        let request = try #require(mock.requests.first)
        #expect(request.method == .post)
        #expect(request.target == "/users/0B5D1E7A-2C34-4F6B-8A9D-000000000000/orders")
        #expect(try request.json == JSONValue(parsing: Data(sentBody.utf8)))
        #expect(response.id == 21)
        #expect(response.state == .known(.created))
        #expect(response.links.selfValue == URL(string: "https://api.example/orders/21"))
        #expect(response.links.type.type == 1)
        #expect(response.links.type.value2fa)
        #expect(response.links.type.plus1 == 3)
        #expect(response.links.type.aB == 0)
        #expect(response.links.type.aB2 == 0)
    }

    @Test("A status that is not accepted is thrown")
    func failure() async throws {
        let mock = HTTPClientMock()
        mock.on(CreateOrder.self, .status(404))
        let payload = try JSONBodyDecoder.json
            .decode(CreateOrder.Body.self, from: Data(bodySample.utf8))
        let error = await #expect(throws: HTTPError.self) {
            _ = try await HTTPOrdersRepository(client: mock).createOrder(
                id: #require(UUID(uuidString: "0B5D1E7A-2C34-4F6B-8A9D-000000000000")),
                payload: payload
            )
        }
        #expect(error?.status == .notFound)
    }
}

/// A sample of the response.
private let responseSample = #"""
    {
      "id": 21,
      "state": "created",
      "created_at": "2026-03-05T07:00:00.125Z",
      "links": {
        "self": "https://api.example/orders/21",
        "type": {
          "Type": 1,
          "2fa": true,
          "+1": 3,
          "a-b": 0,
          "a_b": 0
        }
      }
    }
    """#

/// A sample of the request's body.
private let bodySample = ##"""
    {
      "customer_id": "9F3B2C1D-0000-4000-8000-00000000abcd",
      "items": [
        {
          "sku": "b-1",
          "quantity": 2
        },
        {
          "sku": "t-9",
          "quantity": 1,
          "engraving": "Für \\#(Ann)"
        }
      ],
      "deliver_after": "2026-03-05T08:00:00+01:00",
      "coupon": null,
      "class": "express"
    }
    """##

/// The body as the encoder writes it.
private let sentBody = ##"""
    {
      "customer_id": "9F3B2C1D-0000-4000-8000-00000000ABCD",
      "items": [
        {
          "sku": "b-1",
          "quantity": 2
        },
        {
          "sku": "t-9",
          "quantity": 1,
          "engraving": "Für \\#(Ann)"
        }
      ],
      "deliver_after": "2026-03-05T07:00:00Z",
      "class": "express"
    }
    """##
