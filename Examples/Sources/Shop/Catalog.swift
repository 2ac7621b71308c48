import Martlet

// Models are decoded off the main actor, so they are `nonisolated`. Endpoints are not isolated, because `Endpoint` requires `Sendable`.

/// A product of the shop.
package nonisolated struct Product: Codable, Identifiable, Hashable, Sendable {
    package let id: Int
    package let name: String
    package let cents: Int
}

/// The form that a customer fills in.
package nonisolated struct Checkout: Encodable, Hashable, Sendable {
    /// The name of a field, which the server uses in its errors too.
    package enum Field: String, CaseIterable, Sendable {
        case name, email, street
    }

    package var products: [Product.ID] = []
    package var name = ""
    package var email = ""
    package var street = ""
}

/// An order that the shop has accepted.
package nonisolated struct Order: Codable, Hashable, Sendable {
    package let number: String
}

struct ListProducts: Endpoint {
    typealias Response = [Product]
    var path: Path { "products" }
}

struct PlaceOrder: Endpoint {
    typealias Response = Order
    let checkout: Checkout

    var path: Path { "orders" }
    var method: HTTPMethod { .post }
    var body: RequestBody? { .json(checkout) }
}
