import FoundationEssentials
import Martlet

// What an app would write: its models, and its API three ways.

struct Bird: Codable, Sendable, Equatable {
    let id: Int
    let name: String
    let wingspan: Int
}

struct NewBird: Codable, Sendable, Equatable {
    let name: String
    let wingspan: Int
}

/// A request value: a function that knows the type of its answer.
extension Request where Response == [Bird] {
    static func birds(longerThan wingspan: Int) -> Self { .get("birds", query: ["min_wingspan": wingspan]) }
}

/// A struct per operation.
struct GetBird: Endpoint {
    typealias Response = Bird
    let id: Int
    var path: Path { "birds/\(id)" }
}

/// An enum per API.
enum BirdAPI: Endpoint {
    case all
    case add(NewBird)

    var path: Path { "birds" }
    var method: HTTPMethod { if case .add = self { .post } else { .get } }
    var body: RequestBody? { if case .add(let bird) = self { .json(bird) } else { nil } }
}
