import Martlet

// The app under test: a list of birds, which a server keeps.

struct Bird: Codable, Sendable, Equatable {
    let id: Int
    let name: String
}

struct ListBirds: Endpoint {
    typealias Response = [Bird]
    var path: Path { "birds" }
}

struct AddBird: Endpoint {
    typealias Response = Bird
    let name: String
    var method: HTTPMethod { .post }
    var path: Path { "birds" }
    var body: RequestBody? { .json(["name": .string(name)]) }
}

/// What the app knows of the server. It takes any client, so that tests can hand it a double.
struct BirdRepository: Sendable {
    let http: any HTTPClientProtocol

    func all() async throws(HTTPError) -> [Bird] { try await http.send(ListBirds()) }

    func add(_ name: String) async throws(HTTPError) -> Bird { try await http.send(AddBird(name: name)) }
}
