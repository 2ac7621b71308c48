import Foundation

/// The GraphQL query of the benchmark, for clients that know no GraphQL.
public enum Birds {
    public struct Query: Encodable, Sendable {
        let query: String, variables: [String: String]
    }

    private struct Answer: Decodable {
        struct Data: Decodable { let bird: Bird }
        struct Bird: Decodable { let name: String }
        let data: Data
    }

    public static let query = Query(query: "query Bird($id: ID!) { bird(id: $id) { name } }", variables: ["id": "1"])

    /// The query as the body of a request, for clients that are given bytes.
    public static let body = Data(#"{"query":"\#(query.query)","variables":{"id":"1"}}"#.utf8)

    /// Decodes a response with Foundation. Throws an error unless it is the expected one.
    public static func check(_ response: Data) throws -> CallResult {
        let name = try JSONDecoder().decode(Answer.self, from: response).data.bird.name
        guard name == "Common swift" else { throw WrongResponse(name) }
        return CallResult()
    }
}
