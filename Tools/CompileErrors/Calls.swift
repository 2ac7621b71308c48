import Foundation
import Martlet

// Calls with a mistake. The messages must name what a user can write.

struct User: Codable, Sendable { let id: Int }
struct GetUser: Endpoint {
    typealias Response = User
    let path: Path = "users/1"
}
enum API: Endpoint {
    case users
    var path: Path { "users" }
}
struct Chart: Sendable {}
extension Request where Response == [User] { static var users: Self { .get("users") } }

// The type of the response.

func untyped(_ client: HTTPClient) async throws {
    let user = try await client.send(.get("users/1"))  // refused: name the type of the response
    _ = try await client.send(.get("users/1"))  // refused: name the type of the response
    try await client.send(.get("users/1"))  // refused: name the type of the response
    let result = await client.result(of: .get("users/1"))  // refused: name the type of the response
    let response = try await client.response(for: .get("users/1"))  // refused: name the type of the response
    let later = try await client.send(.get("users/1").timeout(.seconds(3)))  // refused: name the type of the response
    let full = try await client.send(.get(url: URL(filePath: "/")))  // refused: name the type of the response
    async let child = client.send(.get("users/1"))  // refused: name the type of the response
    let task = Task { try await client.send(.get("users/1")) }  // refused: name the type of the response
    let pages = client.pages(.get("users"), next: .link)  // refused: name the type of the response
    let void: Void = try await client.send(.get("users/1"))  // refused: use Request<EmptyResponse>
    print(try await client.send(API.users).first?.id as Any)  // refused: has no member 'id'
}
func untyped(_ client: any HTTPClientProtocol, _ other: any EndpointClient) async throws {
    let user = try await client.send(.get("users/1"))  // refused: name the type of the response
    let same = try await other.send(.get("users/1"))  // refused: name the type of the response
}
func mistyped(_ client: HTTPClient) async throws {
    let number: Int = try await client.send(GetUser())  // refused: to specified type 'Int'
    let chart: Chart = try await client.send(.get("chart"))  // refused: requires that 'Chart' conform to 'Decodable'
    let named = try await client.send(.get("chart"), as: Chart.self)  // refused: requires that 'Chart' conform to 'Decodable'
    let object = try await client.send(.get("users/1"), as: User)  // refused: expected member name or initializer call
    let twice = try await client.send(GetUser(), as: User.self)  // refused: requires the types 'GetUser.Response'
    let pair: (Data, HTTPStatus) = try await client.send(.get("users/1"))  // refused: cannot conform to 'Decodable'
    let model = try await client.send(User(id: 1))  // refused: requires that 'User' conform to 'Endpoint'
}

// Effects.

func effects(_ client: HTTPClient) async throws {
    let first: User = try client.send(.get("users/1"))  // refused: expression is 'async' but is not marked with 'await'
    let second: User = await client.send(.get("users/1"))  // refused: call can throw but is not marked with 'try'
    client.send(.post("users"))  // refused: expression is 'async' but is not marked with 'await'
}
func throwing(_ client: HTTPClient) async throws(URLError) {
    let user: User = try await client.send(.get("users/1"))  // refused: thrown expression type 'HTTPError' cannot be
}
func synchronous(_ client: HTTPClient) throws {
    let user: User = try client.send(.get("users/1"))  // refused: 'async' call in a function that does not support concurrency
}

// Labels.

func labels(_ client: HTTPClient) async throws {
    let first: User = try await client.send(for: .get("users/1"))  // refused: extraneous argument label 'for:' in call
    let second: HTTPResponse<User> = try await client.response(.get("users/1"))  // refused: missing argument label 'for:'
    let third: User = try await client.send(.get(path: "users/1"))  // refused: extraneous argument label 'path:' in call
    let fourth = try await client.send(.get("users/1"), User.self)  // refused: missing argument label 'as:' in call
    let fifth = try await client.send(.get("users/1"), of: User.self)  // refused: extra argument 'of' in call
    try await client.send(.post("users", body: .json(1), headers: ["X-A": "1"]))  // refused: 'headers' must precede
}

// Arguments of other libraries.

func habits(_ client: HTTPClient, _ text: String, _ url: URL) async throws {
    let first: User = try await client.get("users/1")  // refused: 'HTTPClient' has no member 'get'
    let second: User = try await client.send(.fetch("users/1"))  // refused: has no member 'fetch'
    let third: User = try await client.send(.get("users/1", timeoutInterval: 5))  // refused: extra argument 'timeoutInterval' in call
    let fourth: User = try await client.send(.get("users/1", parameters: ["page": 1]))  // refused: extra argument 'parameters' in call
    let fifth: User = try await client.send(.get("users/1", body: .json(1)))  // refused: extra argument 'body' in call
    try await client.send(.post("users", json: 1))  // refused: extra argument 'json' in call
    let sixth: User = try await client.send(.get("users/1"), timeout: .seconds(3))  // refused: extra argument 'timeout' in call
    let seventh: User = try await client.send(.get("users/1"), decoder: JSONDecoder())  // refused: extra argument 'decoder' in call
}

// Near types.

func near(_ client: HTTPClient, _ text: String, _ url: URL) async throws {
    let first: User = try await client.send(.get(text))  // refused: to expected argument type 'Path'
    let second: User = try await client.send(.get(url))  // refused: to expected argument type 'Path'
    let third: User = try await client.send(.get("users", query: "page=1"))  // refused: to expected argument type 'Query'
    let fourth: User = try await client.send(.get("users/1", headers: ["X-A": 1]))  // refused: cannot convert value of type 'Int'
    let fifth: User = try await client.send(.get("users/1").timeout(5))  // refused: to expected argument type 'Duration'
    let sixth = try await client.send(text, as: User.self)  // refused: requires that 'String' conform to 'Endpoint'
    try await client.send(.post("users", body: User(id: 1)))  // refused: to expected argument type 'RequestBody'
    try await client.send(.post("users", body: Data()))  // refused: to expected argument type 'RequestBody'
    let seventh: User = try await client.send(Request(method: text, path: "users/1"))  // refused: to expected argument type 'HTTPMethod'
}

// Members that another type has.

func members(_ client: HTTPClient) async throws {
    let first = try await client.send(.users, as: User.self)  // refused: has no member 'users'
    let second: User = try await client.send(API.user)  // refused: type 'API' has no member 'user'
    let third: User = try await client.send(API.get("users/1"))  // refused: 'API'
}
