/// The element of the JSON payload "products", an array of 75 elements and 6.9 KB.
public struct Product: Codable, Sendable {
    public let id: Int, name: String, price: Double, currency: String, inStock: Bool, category: String

    /// The values of the payload.
    public static let all = (0..<75).map {
        Product(id: $0, name: "Product \($0)", price: Double($0) * 1.25, currency: "EUR", inStock: $0 % 3 == 0, category: "birds")
    }
}
