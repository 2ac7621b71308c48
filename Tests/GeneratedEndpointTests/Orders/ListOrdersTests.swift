import Foundation
import Martlet
import MartletTesting
import Testing

@Suite("GET /users/{id}/orders", .timeLimit(.minutes(1)))
struct ListOrdersTests {
    @Test("The call sends the request and decodes the response")
    func call() async throws {
        let mock = HTTPClientMock()
        mock.on(ListOrders.self, .json(responseSample))
        let response = try await HTTPOrdersRepository(client: mock).listOrders(
            id: 7,
            page: 1,
            sort: "name",
            tag: ["a", "b c"]
        )

        let request = try #require(mock.requests.first)
        #expect(request.method == .get)
        #expect(request.target == "/users/7/orders?page=1&sort=name&tag=a&tag=b%20c")
        #expect(request.body == nil)
        #expect(response.orders.count == 4)
        #expect(response.orders.first?.id == 17)
        #expect(response.orders.first?.orderNumber == "A-0017")
        #expect(response.orders.first?.status == .known(.inDelivery))
        #expect(response.orders.first?.createdAt == Date(timeIntervalSince1970: 1_772_357_400))
        #expect(response.orders.first?.deliveredAt == nil)
        #expect(response.orders.first?.total == 42.5)
        #expect(response.orders.first?.default == true)
        #expect(response.orders.first?.billingAddress.street == "Main Street 1")
        #expect(response.orders.first?.billingAddress.zip == "01234")
    }

    @Test("A status that is not accepted is thrown")
    func failure() async throws {
        let mock = HTTPClientMock()
        mock.on(ListOrders.self, .status(404))
        let error = await #expect(throws: HTTPError.self) {
            _ = try await HTTPOrdersRepository(client: mock).listOrders(
                id: 7,
                page: 1,
                sort: "name",
                tag: ["a", "b c"]
            )
        }
        #expect(error?.status == .notFound)
    }
}

/// A sample of the response.
private let responseSample = #"""
    {
      "orders": [
        {
          "id": 17,
          "order_number": "A-0017",
          "status": "in-delivery",
          "created_at": "2026-03-01T09:30:00Z",
          "delivered_at": null,
          "total": 42.5,
          "customer_url": "https://api.example/customers/7",
          "default": true,
          "billing_address": {
            "street": "Main Street 1",
            "zip": "01234",
            "country": "DE"
          },
          "shipping_address": {
            "street": "Side Street 2",
            "zip": "01235",
            "country": "DE"
          },
          "items": [
            {
              "sku": "b-1",
              "quantity": 2,
              "unit_price": 12,
              "kind": "book"
            },
            {
              "sku": "t-9",
              "quantity": 1,
              "unit_price": 18.5,
              "kind": "toy",
              "engraving": "Für Ann"
            }
          ],
          "labels": []
        },
        {
          "id": 18,
          "order_number": "A-0018",
          "status": "open",
          "created_at": "2026-03-02T10:00:00.250+01:00",
          "delivered_at": "2026-03-04T08:00:00Z",
          "total": 8,
          "customer_url": "https://api.example/customers/8",
          "default": false,
          "billing_address": {
            "street": "Main Street 1",
            "zip": "01234",
            "country": "DE"
          },
          "shipping_address": null,
          "items": [
            {
              "sku": "b-2",
              "quantity": 1,
              "unit_price": 8,
              "kind": "book"
            },
            {
              "sku": "b-3",
              "quantity": 1,
              "unit_price": 8,
              "kind": "book"
            }
          ],
          "labels": [],
          "note": "Ring twice"
        },
        {
          "id": 9007199254740993,
          "order_number": "A-0019",
          "status": "open",
          "created_at": "2026-03-02T10:00:00Z",
          "delivered_at": null,
          "total": 8,
          "customer_url": "https://api.example/customers/8",
          "default": false,
          "billing_address": {
            "street": "Main Street 1",
            "zip": "01234",
            "country": "DE"
          },
          "shipping_address": null,
          "items": [],
          "labels": []
        },
        {
          "id": 20,
          "order_number": "A-0020",
          "status": "in-delivery",
          "created_at": "2026-03-02T10:00:00Z",
          "delivered_at": null,
          "total": 8,
          "customer_url": "https://api.example/customers/8",
          "default": false,
          "billing_address": {
            "street": "Main Street 1",
            "zip": "01234",
            "country": "DE"
          },
          "shipping_address": null,
          "items": [],
          "labels": []
        }
      ],
      "rates_by_day": {
        "2026-03-01": {
          "EUR": 1,
          "USD": 1.08
        },
        "2026-03-02": {
          "EUR": 1,
          "USD": 1.09
        }
      },
      "next_page": 2,
      "metadata": {}
    }
    """#
