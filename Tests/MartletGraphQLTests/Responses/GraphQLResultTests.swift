import Foundation
import Martlet
import MartletGraphQL
import MartletTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct GraphQLResultTests {
    private let partial =
        #"{"data":{"hero":null},"errors":[{"message":"no hero","path":["hero",0,"name"],"extensions":{"code":"NOT_FOUND"}}]}"#

    @Test("The error policy decides how errors beside data are treated", arguments: ErrorPolicy.allCases)
    func policy(policy: ErrorPolicy) async throws {
        let (client, _) = graphQL { _ in .json(partial) }
        let options = GraphQLCallOptions(errorPolicy: policy)
        let result = try await client.result(of: HeroQuery(id: "1"), options: options)
        switch policy {
        case .standard:
            #expect(result == .partial(HeroData(hero: nil), result.errors) && result.errors.count == 1)
            await #expect(throws: GraphQLError.response(result.errors)) { try await client.execute(HeroQuery(id: "1"), options: options) }
        case .none:
            #expect(result == .failed(result.errors) && result.errors.count == 1)
            await #expect(throws: GraphQLError.response(result.errors)) { try await client.execute(HeroQuery(id: "1"), options: options) }
        case .all:
            #expect(result == .partial(HeroData(hero: nil), result.errors) && result.errors.count == 1)
            #expect(try await client.execute(HeroQuery(id: "1"), options: options) == HeroData(hero: nil))
        case .ignore:
            #expect(result == .complete(HeroData(hero: nil)))
            #expect(try await client.execute(HeroQuery(id: "1"), options: options) == HeroData(hero: nil))
        }
    }

    @Test("A path encodes to the names and indexes it was decoded from, and equal errors are one element of a set")
    func paths() async throws {
        let (client, _) = graphQL { _ in .json(partial) }
        let errors = try await client.result(of: HeroQuery(id: "1")).errors + client.result(of: HeroQuery(id: "1")).errors
        #expect(try String(decoding: JSONBodyEncoder.json.encode(errors[0].path), as: UTF8.self) == #"["hero",0,"name"]"#)
        #expect(Set(errors).count == 1)
        #expect(Set(errors + [GraphQLResponseError(message: "no hero")]).count == 2)
    }

    @Test("A call's policy overrides the client's")
    func clientPolicy() async throws {
        let (client, _) = graphQL(configuration: .init(errorPolicy: .ignore)) { _ in .json(partial) }
        #expect(try await client.result(of: HeroQuery(id: "1")).isComplete)
        #expect(try await client.result(of: HeroQuery(id: "1"), options: .init(errorPolicy: .all)).errors.count == 1)
    }

    @Test("Errors without data fail under every policy", arguments: ErrorPolicy.allCases)
    func failed(policy: ErrorPolicy) async {
        let (client, _) = graphQL { _ in .json(#"{"data":null,"errors":[{"message":"no"}]}"#) }
        await #expect(throws: GraphQLError.response([GraphQLResponseError(message: "no")])) {
            try await client.execute(HeroQuery(id: "1"), options: .init(errorPolicy: policy))
        }
    }

    @Test("An error has its path, locations, code and extensions")
    func parts() throws {
        let json = #"{"message":"m","path":["a",1,"b"],"locations":[{"line":1,"column":2}],"extensions":{"code":"C","cost":3}}"#
        let error = try JSONBodyDecoder.json.decode(GraphQLResponseError.self, from: Data(json.utf8))
        #expect(error.path == ["a", 1, "b"])
        #expect(error.locations == [.init(line: 1, column: 2)])
        #expect(error.code == "C")
        #expect(error.extensions["cost"] == 3)
        #expect("\(error)" == "m (C) at a.1.b")
    }

    @Test(
        "Members of an error that violate the specification are left out",
        arguments: [
            #"{"message":"m","path":"a","locations":{},"extensions":[]}"#, #"{"message":"m","path":[true],"locations":[{"line":"1"}]}"#,
            #"{"message":"m","path":null,"locations":null,"extensions":null}"#,
        ])
    func lenient(json: String) throws {
        let error = try JSONBodyDecoder.json.decode(GraphQLResponseError.self, from: Data(json.utf8))
        #expect(error == GraphQLResponseError(message: "m"))
    }

    @Test("An error knows its operation and its response")
    func context() async throws {
        let (client, _) = graphQL { _ in .json(#"{"errors":[{"message":"no"}]}"#, headers: ["X-Request-Id": "r1"]) }
        let error = await #expect(throws: GraphQLError.self) { try await client.execute(HeroQuery(id: "1")) }
        let first = try #require(error?.errors.first)
        #expect(first.operationName == "Hero")
        #expect(error?.response?.headers["X-Request-Id"] == "r1")
        #expect(error?.description == "GraphQL errors of Hero: no: POST https://api.example/graphql")
        #expect(error?.errorDescription == "Something went wrong")
    }

    @Test("A description has the place in the document if there is no path, and no period within the sentence")
    func places() {
        let unknown = GraphQLResponseError(
            message: "Cannot query field 'nope' on type 'Query'.", locations: [.init(line: 1, column: 3), .init(line: 2, column: 1)])
        #expect("\(unknown)" == "Cannot query field 'nope' on type 'Query' at 1:3")
        let null = GraphQLResponseError(
            message: "Cannot return null for Hero.name.", path: ["hero", "name"], locations: [.init(line: 1, column: 3)], code: "C")
        #expect("\(null)" == "Cannot return null for Hero.name (C) at hero.name")
        #expect("\(GraphQLResponseError(message: "Wait..."))" == "Wait..." && "\(GraphQLResponseError(message: "no"))" == "no")
        #expect(GraphQLError.response([null, unknown]).description.hasPrefix("GraphQL errors: Cannot return null for Hero.name (C) at"))
    }

    @Test("Descriptions redact secrets in server messages and escape control characters")
    func quiet() {
        let error = GraphQLError.response([GraphQLResponseError(message: "bad token=s3cr3tvalue\u{1B}[31m")])
        #expect(!"\(error)".contains("s3cr3tvalue"))
        #expect(!"\(error)".contains("\u{1B}"))
    }

    @Test("The response has the server's extensions, status and header fields")
    func response() async throws {
        let (client, _) = graphQL { _ in .json(#"{"data":{"hero":null},"extensions":{"cost":7}}"#, headers: ["X-A": "b"]) }
        let response = try await client.response(for: HeroQuery(id: "1"))
        #expect(response.extensions["cost"] == 7)
        #expect(response.http.headers["X-A"] == "b")
        #expect(response.result.data == HeroData(hero: nil))
    }

    @Test("Mapping a result keeps its errors")
    func map() {
        let errors = [GraphQLResponseError(message: "m")]
        #expect(GraphQLResult.partial(1, errors).map { $0 + 1 } == .partial(2, errors))
        #expect(GraphQLResult<Int>.failed(errors).map { $0 + 1 } == .failed(errors))
    }
}
