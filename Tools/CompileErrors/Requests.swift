import Foundation
import Martlet
import MartletGraphQL

// Requests and endpoints that the compiler refuses for other reasons.

let id: Int? = 1
let pathOfOptional: Path = "users/\(id)"  // refused: unwrap the optional first
let getWithBody = Request<Data>.get("users", body: .text("a"))  // refused: extra argument 'body'
struct Table: Sendable {}
struct NotDecodable: Endpoint {  // refused: make Response Decodable, or write decode(_:using:)
    typealias Response = Table
    let path: Path = "table"
}
struct NameOfOtherType: GraphQLQuery {  // refused: declare 'operationName' as String?
    struct Data: Decodable, Sendable {}
    static let document: GraphQLDocument = "query Hero { hero }"
    static let operationName: StaticString = "Hero"
}
func untyped(_ parameters: [String: Any]) {
    _ = RequestBody.json(parameters)  // refused: a [String: Any] is sent with .json(untyped:)
    _ = RequestBody.json(["table": Table()])  // refused: each value must be Encodable & Sendable
    _ = Query(parameters)  // refused: a [String: Any] is sent with Query(untyped:)
    _ = Form(parameters)  // refused: a [String: Any] is sent with Form(untyped:)
}
