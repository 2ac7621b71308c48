import Foundation
import Martlet

struct Order: Decodable {
    let id: Int
    let cents: Int
    let currency: String
}

struct Invoice: Decodable {
    let id: Int
    let cents: Int
}

struct GetOrder: Endpoint {
    typealias Response = Order
    let id: Int
    var path: Path { "orders/\(id)" }
}

/// The value of one euro in each currency. The partner lets caches keep it for a minute.
struct GetRates: Endpoint {
    typealias Response = [String: Double]
    var path: Path { "rates" }
}

struct CreateInvoice: Endpoint {
    typealias Response = Invoice
    let order: Int
    let cents: Int

    var path: Path { "invoices" }
    var method: HTTPMethod { .post }
    var body: RequestBody? { .json(["order": order, "cents": cents]) }
    /// The key depends on the order only, so that retries and other workers cannot create a second invoice.
    var headers: HTTPFields { ["Idempotency-Key": "invoice-\(order)"] }
}
