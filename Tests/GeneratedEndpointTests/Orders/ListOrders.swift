import Foundation
import Martlet

/// `GET /users/{id}/orders`
struct ListOrders: Endpoint {
    /// The value of `{id}` in the path.
    let id: Int
    /// The query parameter `page`. Nil leaves it out.
    var page: Int?
    /// The query parameter `sort`. Nil leaves it out.
    var sort: String?
    /// The query parameter `tag`. Nil leaves it out.
    var tag: [String]?

    var path: Path { "users/\(id)/orders" }
    var query: Query { ["page": page, "sort": sort, "tag": tag] }

    /// The content of the response.
    struct Response: Codable, Hashable, Sendable {
        let orders: [Order]
        let ratesByDay: [String: [String: Double]]
        let nextPage: Int
        let metadata: [String: JSONValue]

        struct Order: Codable, Hashable, Sendable {
            let id: Int
            let orderNumber: String
            let status: OpenEnum<Status>
            let createdAt: Date
            let deliveredAt: Date?
            let total: Double
            let customerURL: URL
            let `default`: Bool
            let billingAddress: Address
            let shippingAddress: Address?
            let items: [Item]
            let labels: [JSONValue]
            let note: String?

            /// The values in the samples. `OpenEnum` keeps unknown ones.
            enum Status: String, Codable, Sendable {
                case inDelivery = "in-delivery"
                case open
            }

            struct Address: Codable, Hashable, Sendable {
                let street: String
                let zip: String
                let country: String
            }

            struct Item: Codable, Hashable, Sendable {
                let sku: String
                let quantity: Int
                let unitPrice: Double
                let kind: OpenEnum<Kind>
                let engraving: String?

                /// The values in the samples. `OpenEnum` keeps unknown ones.
                enum Kind: String, Codable, Sendable {
                    case book
                    case toy
                }

                private enum CodingKeys: String, CodingKey {
                    case sku
                    case quantity
                    case unitPrice = "unit_price"
                    case kind
                    case engraving
                }
            }

            private enum CodingKeys: String, CodingKey {
                case id
                case orderNumber = "order_number"
                case status
                case createdAt = "created_at"
                case deliveredAt = "delivered_at"
                case total
                case customerURL = "customer_url"
                case `default`
                case billingAddress = "billing_address"
                case shippingAddress = "shipping_address"
                case items
                case labels
                case note
            }
        }

        private enum CodingKeys: String, CodingKey {
            case orders
            case ratesByDay = "rates_by_day"
            case nextPage = "next_page"
            case metadata
        }
    }
}
