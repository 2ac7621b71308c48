import Foundation
import Martlet

/// `GET /nests`
nonisolated struct ListNests: Endpoint {
    typealias Response = [Nest]

    var path: Path { "nests" }

    /// One element of the response.
    nonisolated struct Nest: Codable, Hashable, Sendable {
        let nestID: Int
        let kind: OpenEnum<Kind>
        let eggs: [Egg]
        let note: String?

        /// The values in the samples. `OpenEnum` keeps unknown ones.
        nonisolated enum Kind: String, Codable, Sendable {
            case cliff
            case roof
        }

        nonisolated struct Egg: Codable, Hashable, Sendable {
            let laidAt: Date
            let isHatched: Bool

            private nonisolated enum CodingKeys: String, CodingKey {
                case laidAt = "laid_at"
                case isHatched = "is_hatched"
            }
        }

        private nonisolated enum CodingKeys: String, CodingKey {
            case nestID = "nest_id"
            case kind
            case eggs
            case note
        }
    }
}
