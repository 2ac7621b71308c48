import Foundation
import Martlet

/// `POST /search/{index}.json`
struct Search: Endpoint {
    /// The value of `{index}` in the path.
    let index: String
    /// The body of the request.
    let payload: Body

    var path: Path { "search/\(index).json" }
    var method: HTTPMethod { .post }
    var body: RequestBody? { .json(payload) }

    /// The content of the response.
    struct Response: Codable, Hashable, Sendable {
        let tookMs: Int
        let maxScore: Decimal
        let totalHits: UInt64
        let hugeNumber: Decimal
        let oddNumber: JSONNumber
        let hits: [Hit]
        let byUser: [String: ByUser?]
        let names: [String: String]
        let matrix: [[Decimal]]
        let flags: [[JSONValue]]
        let x: X

        struct Hit: Codable, Hashable, Sendable {
            let docId: UUID
            let price: Decimal
            let text: String
            let tags: [String?]
            let mixed: [JSONValue]
            let größe: Int
        }

        struct ByUser: Codable, Hashable, Sendable {
            let count: Int
            let lastSeen: JSONValue?
        }

        struct X: Codable, Hashable, Sendable {
            let y: Y

            struct Y: Codable, Hashable, Sendable {
                let z: [Z]

                struct Z: Codable, Hashable, Sendable {
                    let deepValue: Bool
                }
            }
        }
    }

    /// The content of the request's body.
    struct Body: Codable, Hashable, Sendable {
        var searchText: String
        var pageSize: Int
        var filters: [Filter]
        var since: Date

        struct Filter: Codable, Hashable, Sendable {
            var fieldName: String
            var maxValue: Decimal?
            var anyValue: [JSONValue]?
        }
    }
}
