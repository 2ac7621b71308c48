import Martlet

/// `GET /words`
struct ListWords: Endpoint {
    typealias Response = [String]
    /// The query parameter `max`. Nil leaves it out.
    var max: Double?
    /// The query parameter `exact`. Nil leaves it out.
    var exact: Bool?
    /// The query parameter `ids[]`. Nil leaves it out.
    var ids: [Int]?
    /// The query parameter `zip`. Nil leaves it out.
    var zip: String?

    var path: Path { "words" }
    var query: Query { ["max": max, "exact": exact, "ids[]": ids, "zip": zip] }
}
