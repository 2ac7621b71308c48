import Foundation
import Martlet

struct Orders: Decodable {
    struct Order: Decodable { let id: Int64, total: Double }
    let orders: [Order]
}

struct User: Decodable { let id: Int, name: String }
struct Settings: Decodable { let theme: String }
struct Flags: Decodable { let flags: [String] }
struct Order: Decodable { let id: String }
struct Export: Decodable { let long: String }

struct GetOrders: Endpoint {
    typealias Response = Orders
    let user: Int
    var path: Path { "users/\(user)/orders" }
    var query: Query { ["include": "lines", "locale": "en-GB"] }
    var options: CallOptions {
        var options = CallOptions()
        options.tags = ["orders", "screen:account"]
        return options
    }
}

struct GetUsers: Endpoint {
    typealias Response = [User]
    var path: Path { "users" }
    var query: Query { ["page": "1", "api_key": "s3cret-key"] }
}

struct GetSettings: Endpoint {
    typealias Response = Settings
    var path: Path { "settings" }
}

struct GetFlags: Endpoint {
    typealias Response = Flags
    var path: Path { "flags" }
}

struct CreateOrder: Endpoint {
    typealias Response = Order
    var path: Path { "orders" }
    var method: HTTPMethod { .post }
    var body: RequestBody? { .json(["sku": "bird-7", "count": 2, "card_number": "4111111111111111", "password": "s3cret-word"]) }
    var options: CallOptions {
        var options = CallOptions()
        options.tags = ["checkout"]
        return options
    }
}

struct GetExport: Endpoint {
    typealias Response = Export
    var path: Path { "export" }
    var endpointName: String { "Export" }
}

struct GetItem: Endpoint {
    let id: Int
    var path: Path { "items/\(id)" }
}
