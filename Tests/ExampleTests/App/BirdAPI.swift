import Martlet

// The app under test: a list of birds that a server stores.

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

/// The app's access to the server. It takes any client, so that tests can pass a mock.
struct BirdRepository: Sendable {
    let http: any HTTPClientProtocol

    func all() async throws(HTTPError) -> [Bird] { try await http.send(ListBirds()) }

    func add(_ name: String) async throws(HTTPError) -> Bird { try await http.send(AddBird(name: name)) }
}
