import Martlet

/// ``Product``, which reads itself from JSON without `Decodable`'s containers.
public struct ReadProduct: Encodable, Sendable {
    public let id: Int, name: String, price: Double, currency: String, inStock: Bool, category: String
}

extension ReadProduct: JSONReadable {
    public init(json: inout JSONReader) throws {
        try self.init(
            id: json["id"], name: json["name"], price: json["price"], currency: json["currency"], inStock: json["inStock"],
            category: json["category"])
    }
}
