import Foundation
import Martlet

/// `POST /users/{id}/orders`
struct CreateOrder: Endpoint {
    /// The value of `{id}` in the path.
    let id: UUID
    /// The body of the request.
    let payload: Body

    var path: Path { "users/\(id)/orders" }
    var method: HTTPMethod { .post }
    var body: RequestBody? { .json(payload) }

    /// The content of the response.
    struct Response: Codable, Hashable, Sendable {
        let id: Int
        let state: OpenEnum<State>
        let createdAt: Date
        let links: Links

        /// The values in the samples. `OpenEnum` keeps unknown ones.
        enum State: String, Codable, Sendable {
            case created
        }

        struct Links: Codable, Hashable, Sendable {
            let selfValue: URL
            let type: TypeValue

            struct TypeValue: Codable, Hashable, Sendable {
                let type: Int
                let value2fa: Bool
                let plus1: Int
                let aB: Int
                let aB2: Int

                private enum CodingKeys: String, CodingKey {
                    case type = "Type"
                    case value2fa = "2fa"
                    case plus1 = "+1"
                    case aB = "a-b"
                    case aB2 = "a_b"
                }
            }

            private enum CodingKeys: String, CodingKey {
                case selfValue = "self"
                case type
            }
        }

        private enum CodingKeys: String, CodingKey {
            case id
            case state
            case createdAt = "created_at"
            case links
        }
    }

    /// The content of the request's body.
    struct Body: Codable, Hashable, Sendable {
        var customerID: UUID
        var items: [Item]
        var deliverAfter: Date
        var coupon: JSONValue?
        var `class`: String

        struct Item: Codable, Hashable, Sendable {
            var sku: String
            var quantity: Int
            var engraving: String?
        }

        private enum CodingKeys: String, CodingKey {
            case customerID = "customer_id"
            case items
            case deliverAfter = "deliver_after"
            case coupon
            case `class`
        }
    }
}
