import Foundation
import Martlet

// Endpoints whose properties have another type than `Endpoint` declares. The messages must name the type to declare.

struct BaseURLAsText: Endpoint { let path: Path = "a", baseURL = "https://api.example" }  // refused: declare 'baseURL' as URL?
struct URLAsText: Endpoint { let path: Path = "a", url = "https://api.example/a" }  // refused: declare 'url' as URL?
struct PathAsText: Endpoint { let path = "a" }  // refused: does not conform to protocol 'Endpoint'
struct MethodAsText: Endpoint { let path: Path = "a", method = "POST" }  // refused: declare 'method' as HTTPMethod
enum OwnMethod: String { case get, post }
struct MethodAsEnum: Endpoint { let path: Path = "a", method = OwnMethod.post }  // refused: declare 'method' as HTTPMethod
struct QueryAsText: Endpoint { let path: Path = "a", query = "page=2" }  // refused: declare 'query' as Query
struct QueryAsAny: Endpoint { let path: Path = "a"; var query: [String: Any] { [:] } }  // refused: declare 'query' as Query
struct Filter: Encodable { let page: Int }
struct QueryAsValue: Endpoint { let path: Path = "a", query: Filter }  // refused: declare 'query' as Query
struct HeadersAsAny: Endpoint { let path: Path = "a"; var headers: [String: Any]? { nil } }  // refused: declare 'headers' as HTTPFields
struct HeadersAsPairs: Endpoint { let path: Path = "a", headers: [(String, String)] }  // refused: declare 'headers' as HTTPFields
struct BodyAsData: Endpoint { let path: Path = "a", body: Data? }  // refused: declare 'body' as RequestBody?
struct BodyAsAny: Endpoint { let path: Path = "a"; var body: (any Encodable)? { nil } }  // refused: declare 'body' as RequestBody?
struct BodyAsSome: Endpoint { let path: Path = "a"; var body: some Encodable { 1 } }  // refused: declare 'body' as RequestBody?
struct BodyAsValue<U: Encodable & Sendable>: Endpoint { let path: Path = "a", body: U }  // refused: declare 'body' as RequestBody?
struct BodyAsParameters: Endpoint { let path: Path = "a"; var body: [String: Any] { [:] } }  // refused: declare 'body' as RequestBody?
struct TimeoutAsSeconds: Endpoint { let path: Path = "a"; var timeout: TimeInterval { 5 } }  // refused: declare 'timeout' as Duration?
struct TimeoutAsInt: Endpoint { let path: Path = "a", timeout = 5 }  // refused: declare 'timeout' as Duration?
struct ValidationAsRange: Endpoint { let path: Path = "a", validation = 200...299 }  // refused: declare 'validation' as StatusValidation
struct ValidationAsList: Endpoint { let path: Path = "a", validation = [200, 404] }  // refused: declare 'validation' as StatusValidation
struct OptionsAsList: Endpoint { let path: Path = "a", options = ["cached"] }  // refused: declare 'options' as CallOptions
struct NameAsStatic: Endpoint { let path: Path = "a"; var endpointName: StaticString { "a" } }  // refused: declare 'endpointName' as String

// A getter that throws, whatever its type.

struct ThrowingBaseURL: Endpoint { let path: Path = "a"; var baseURL: URL? { get throws { nil } } }  // refused: declare 'baseURL' as URL?
struct ThrowingURL: Endpoint {  // refused: declare 'url' as URL?
    let path: Path = "a"
    var url: URL { get throws { throw CancellationError() } }
}
struct ThrowingMethod: Endpoint {  // refused: declare 'method' as HTTPMethod
    let path: Path = "a"
    var method: HTTPMethod { get throws { .post } }
}
struct ThrowingQuery: Endpoint { let path: Path = "a"; var query: Query { get throws { [:] } } }  // refused: declare 'query' as Query
struct ThrowingHeaders: Endpoint {  // refused: declare 'headers' as HTTPFields
    let path: Path = "a"
    var headers: [String: String] { get throws { [:] } }
}
struct ThrowingBody: Endpoint {  // refused: declare 'body' as RequestBody?
    let path: Path = "a"
    var body: RequestBody? { get throws { nil } }
}
struct ThrowingData: Endpoint { let path: Path = "a"; var body: Data { get throws { Data() } } }  // refused: declare 'body' as RequestBody?

// Enums, classes, conformances in extensions, and protocols of an app.

enum TextAPI: Endpoint {  // refused: declare 'baseURL' as URL?
    case list
    var path: Path { "a" }
    var baseURL: String { "https://api.example" }
}
final class ClassEndpoint: Endpoint {  // refused: declare 'headers' as HTTPFields
    let path: Path = "a"
    let headers: [String] = []
}
struct Later {
    let path: Path = "a"
    let body = "text"
}
extension Later: Endpoint {}  // refused: declare 'body' as RequestBody?
protocol Own: Endpoint {}
extension Own { var timeout: Double { 5 } }
struct Owned: Own { let path: Path = "a" }  // refused: declare 'timeout' as Duration?
protocol Posting: Endpoint {
    associatedtype Payload: Encodable & Sendable
    var body: Payload { get }
}
struct Post: Posting { let path: Path = "a", body = [1] }  // refused: declare 'body' as RequestBody?

// Several properties of one type.

struct Several: Endpoint {  // refused: declare 'baseURL' as // refused: declare 'method' as // refused: declare 'timeout' as
    let path: Path = "a"
    let baseURL = "https://api.example"
    let method = "GET"
    let timeout = 3
}

// Properties that are less accessible, or isolated to an actor.

struct Hidden: Endpoint {
    let path: Path = "a"
    private var headers: HTTPFields { [:] }  // refused: must be as accessible as its enclosing type
}
@MainActor struct Isolated: Endpoint {  // refused: crosses into main actor-isolated code
    nonisolated var path: Path { "a" }
    var headers: HTTPFields { [:] }
}
actor Actor: Endpoint {  // refused: crosses into actor-isolated code
    nonisolated var path: Path { "a" }
    var body: RequestBody? { nil }
}
