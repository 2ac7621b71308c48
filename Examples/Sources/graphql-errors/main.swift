// A GraphQL query with one failed field: the other data is shown together with the error.
import Foundation
import Martlet
import MartletGraphQL

struct BirdQuery: GraphQLQuery {
    struct Data: Decodable {
        struct Bird: Decodable {
            let name: String
            let nest: String?  // a field that may fail is optional
        }
        let bird: Bird?
    }

    static let document: GraphQLDocument = "query Bird($id: ID!) { bird(id: $id) { name nest } }"
    let id: GraphQLID
}

let server = try await startServer()
let graphQL = GraphQLClient(HTTPClient(baseURL: server.url), path: "graphql")

/// Returns the text that a view shows for a bird.
func text(for id: GraphQLID) async throws(GraphQLError) -> String {
    switch try await graphQL.result(of: BirdQuery(id: id)) {
    case .complete(let data):
        data.bird.map { "\($0.name), nest: \($0.nest ?? "none")" } ?? "no such bird"
    case .partial(let data, let errors):
        "\(data.bird?.name ?? "no name"), nest: \(errors.contains { $0.code == "FORBIDDEN" } ? "secret" : "unknown")"
    case .failed(let errors):
        "failed: \(errors.map(\.message).joined(separator: ", "))"
    }
}

let complete = try await text(for: "1"), partial = try await text(for: "2"), failed = try await text(for: "3")
print(complete, partial, failed, separator: "\n")

// `execute` returns data or throws. By default it throws even if there is data besides the errors; the policy `.ignore` returns the data.
do {
    _ = try await graphQL.execute(BirdQuery(id: "2"))
    fatalError("the error was ignored")
} catch {  // error is GraphQLError
    guard let first = error.errors.first else { throw error }
    print("execute: \(first.message), at \(first.path)")
}
let bird = try await graphQL.execute(BirdQuery(id: "2"), options: GraphQLCallOptions(errorPolicy: .ignore)).bird

precondition(complete == "Common swift, nest: under the roof" && partial == "Alpine swift, nest: secret")
precondition(failed == "failed: the database is busy" && bird?.name == "Alpine swift")
