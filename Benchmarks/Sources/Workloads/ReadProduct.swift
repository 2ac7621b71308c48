import Martlet

/// ``Product``, which reads itself from JSON without `Decodable`'s containers.
public struct ReadProduct: Codable, Sendable {
    public let id: Int, name: String, price: Double, currency: String, inStock: Bool, category: String
}

extension ReadProduct: JSONReadable {
    public init(json reader: inout JSONReader) throws(JSONReader.Refusal) {
        var id: Int?, name: String?, price: Double?, currency: String?, inStock: Bool?, category: String?
        try reader.beginObject()
        while try reader.nextMember() {
            if try reader.read("id", &id) { continue }
            if try reader.read("name", &name) { continue }
            if try reader.read("price", &price) { continue }
            if try reader.read("currency", &currency) { continue }
            if try reader.read("inStock", &inStock) { continue }
            if try reader.read("category", &category) { continue }
            try reader.skip()
        }
        self.init(
            id: try reader.required(id), name: try reader.required(name), price: try reader.required(price),
            currency: try reader.required(currency), inStock: try reader.required(inStock), category: try reader.required(category))
    }
}
