import Foundation
import Martlet
import MartletGraphQL
import MartletTesting

struct Birds: GraphQLQuery {
    struct Data: Decodable {
        struct Connection: Decodable { let nodes: [Node] }
        struct Node: Decodable { let id: String, name: String, wingspan: Double }
        let birds: Connection
    }
    static let document: GraphQLDocument = """
        query Birds($first: Int!) {
          birds(first: $first) {
            nodes { id name wingspan }
          }
        }
        """
    let first: Int
}

struct Nests: GraphQLQuery {
    struct Data: Decodable { let nests: Int }
    static let document: GraphQLDocument = "query Nests { nests }"
}

struct OrderChanged: GraphQLSubscription {
    struct Data: Decodable {
        struct Change: Decodable { let id: String, state: String }
        let orderChanged: Change
    }
    static let document: GraphQLDocument = "subscription OrderChanged($id: ID!) { orderChanged(id: $id) { id state } }"
    let id: GraphQLID
}

/// The replies of the shop's GraphQL server.
enum ShopGraphQL {
    static func reply(to request: HTTPRequest) -> MockReply {
        let body = String(decoding: request.body?.buffered ?? Data(), as: UTF8.self)
        if body.contains("OrderChanged") { return subscription }
        let reply = body.hasPrefix("[") ? "[\(birds),{\"data\":{\"nests\":3}}]" : birds
        return .json(reply).delayed(by: .milliseconds(83))
    }

    private static let birds: String = {
        let nodes = ["Swift", "Martin", "Swallow", "Wagtail"].enumerated().map { #"{"id":"b\#($0)","name":"\#($1)","wingspan":\#($0 + 3).5}"# }
        return #"{"data":{"birds":{"nodes":[\#(nodes.joined(separator: ","))]}}}"#
    }()

    private static let subscription: MockReply = .events(
        ["PAID", "PACKED", "SENT"].map { .init(#"{"data":{"orderChanged":{"id":"o-981","state":"\#($0)"}}}"#, type: "next") }
            + Array(repeating: .init("", type: "ping"), count: 300)
    ).piecesDelayed(by: .milliseconds(200))
}
