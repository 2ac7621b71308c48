import FoundationEssentials
import Martlet

// The code that an app would contain: its models, and its API in three styles.

struct Bird: Codable, Sendable, Equatable {
    let id: Int
    let name: String
    let wingspan: Int
}

struct NewBird: Codable, Sendable, Equatable {
    let name: String
    let wingspan: Int
}

/// A request value: the function determines the type of the response.
extension Request where Response == [Bird] {
    static func birds(longerThan wingspan: Int) -> Self { .get("birds", query: ["min_wingspan": wingspan]) }
}

/// A struct for each operation.
struct GetBird: Endpoint {
    typealias Response = Bird
    let id: Int
    var path: Path { "birds/\(id)" }
}

/// An enum for a whole API.
enum BirdAPI: Endpoint {
    case all
    case add(NewBird)

    var path: Path { "birds" }
    var method: HTTPMethod { if case .add = self { .post } else { .get } }
    var body: RequestBody? { if case .add(let bird) = self { .json(bird) } else { nil } }
}
