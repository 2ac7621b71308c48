// An API as one enum with a case for each operation. The call names the response type with `as:`.
import Foundation
import Martlet

struct Bird: Codable {
    let id: Int
    let name: String
}

struct NewBird: Codable {
    let name: String
}

enum BirdAPI: Endpoint {
    case list(family: String?, page: Int)
    case bird(id: Int)
    case add(NewBird)
    case remove(id: Int)

    var path: Path {
        switch self {
        case .list, .add: "birds"
        case .bird(let id), .remove(let id): "birds/\(id)"
        }
    }

    var method: HTTPMethod {
        switch self {
        case .list, .bird: .get
        case .add: .post
        case .remove: .delete
        }
    }

    var query: Query {
        if case .list(let family, let page) = self { ["family": family, "page": page] } else { [:] }
    }

    var body: RequestBody? {
        if case .add(let bird) = self { .json(bird) } else { nil }
    }
}

let server = try await startServer()
let client = HTTPClient(baseURL: server.url)

let birds = try await client.send(BirdAPI.list(family: "Apodidae", page: 1), as: [Bird].self)
print("list: \(birds.map(\.name).joined(separator: ", "))")

let added = try await client.send(BirdAPI.add(NewBird(name: "Pallid swift")), as: Bird.self)
print("add: \(added.name) is number \(added.id)")

try await client.send(BirdAPI.remove(id: added.id))  // the response has no body

do {
    _ = try await client.send(BirdAPI.bird(id: added.id), as: Bird.self)
    fatalError("the bird is still there")
} catch {  // error is HTTPError
    guard error.status == .notFound else { throw error }
    print("bird: \(error.errorDescription ?? "")")
}

precondition(birds.count == 2 && added.id == 3)
precondition(
    server.requests.map { "\($0.method) \($0.target)" } == [
        "GET /birds?family=Apodidae&page=1", "POST /birds", "DELETE /birds/3", "GET /birds/3",
    ])
