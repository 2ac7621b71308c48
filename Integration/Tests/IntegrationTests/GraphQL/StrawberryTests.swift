import Foundation
import Martlet
import MartletGraphQL
import Testing

/// Sends operations to strawberry over the platform's transport.
@Suite("Strawberry", .timeLimit(.minutes(1)))
struct StrawberryTests {
    private struct Hero: Decodable, Sendable, Equatable {
        let name: String
        let nest: String?
    }

    private struct HeroData: Decodable, Sendable, Equatable { let hero: Hero? }

    private struct HeroQuery: GraphQLQuery {
        typealias Data = HeroData
        static let document: GraphQLDocument = "query Hero($id: ID!) { hero(id: $id) { name } }"
        let id: String
    }

    private let secret: GraphQLDocument = "query Secret($id: ID!) { hero(id: $id) { name nest } }"

    @Test("A query returns its data, with nil for null")
    func query() async throws {
        let client = try Strawberry().client()
        #expect(try await client.execute(HeroQuery(id: "2")) == HeroData(hero: Hero(name: "Martlet", nest: nil)))
        #expect(try await client.result(of: HeroQuery(id: "nobody")) == .complete(HeroData(hero: nil)))
        let response = try await client.response(for: HeroQuery(id: "1"))
        #expect(response.http.status == .ok && response.extensions.isEmpty)
    }

    @Test("Data with errors is a partial result, and the error policy decides whether it is thrown (GraphQL §7.1.2)")
    func partial() async throws {
        let client = try Strawberry().client()
        let operation = GraphQLOperation<HeroData>(secret, variables: ["id": "1"])
        let whole = HeroData(hero: Hero(name: "Swift", nest: nil))

        guard case .partial(let data, let errors) = try await client.result(of: operation) else {
            Issue.record("not partial")
            return
        }
        #expect(data == whole)
        let error = try #require(errors.first)
        #expect(errors.count == 1 && error.message == "the nest is secret" && error.code == "FORBIDDEN")
        #expect(error.path == ["hero", "nest"] && error.locations == [.init(line: 1, column: 47)])
        #expect(error.extensions["retryable"] == .bool(false) && error.operationName == "Secret")
        #expect(error.response?.status == .ok)
        await #expect(throws: GraphQLError.response(errors)) { try await client.execute(operation) }
        #expect(try await client.execute(operation, options: .init(errorPolicy: .all)) == whole)
        #expect(try await client.result(of: operation, options: .init(errorPolicy: .ignore)) == .complete(whole))
    }

    @Test("If a failed field makes data undecodable, the result has the server's errors instead of a decoding error")
    func undecodable() async throws {
        struct Strict: Decodable, Sendable, Equatable {
            struct Hero: Decodable, Sendable, Equatable { let nest: String }
            let hero: Hero
        }
        let operation = GraphQLOperation<Strict>(secret, variables: ["id": "1"])
        let result = try await Strawberry().client().result(of: operation)
        #expect(result.data == nil && result.errors.map(\.code) == ["FORBIDDEN"])
    }

    @Test("A validation error in a 200 with null data is a failure with its location in the document")
    func validation() async throws {
        let result = try await Strawberry().client().result(of: GraphQLOperation<HeroData>("query Typo {\n  hero(id: \"1\") { nam }\n}"))
        #expect(result.data == nil && result.errors.count == 1)
        #expect(result.errors.first?.locations == [.init(line: 2, column: 19)] && result.errors.first?.path.isEmpty == true)
        #expect(result.errors.first?.message.contains("'nam'") == true)
    }

    @Test("A missing variable and a null in a non-null field are failures")
    func failures() async throws {
        let client = try Strawberry().client()
        let missing = try await client.result(of: GraphQLOperation<HeroData>(HeroQuery.document))
        #expect(missing.errors.first?.message.contains("$id") == true)
        let doomed = try await client.result(of: GraphQLOperation<[String: String]>("{ doomed }"))
        #expect(doomed == .failed(doomed.errors) && doomed.errors.map(\.code) == ["INTERNAL_SERVER_ERROR"])
    }

    @Test(
        "A response of type application/graphql-response+json is parsed whatever its status (GraphQL over HTTP §6)",
        arguments: [true, false])
    func typed(_ isInvalid: Bool) async throws {
        let client = try Strawberry().client("typed")
        let response = try await client.response(for: GraphQLOperation<[String: String]>(isInvalid ? "{ nope }" : "{ doomed }"))
        #expect(response.http.status == (isInvalid ? .badRequest : .ok))
        #expect(response.http.headers[.contentType]?.hasPrefix("application/graphql-response+json") == true)
        #expect(response.result.data == nil && response.result.errors.count == 1)
    }

    @Test("An HTML page or a 404 is an HTTP error with the response's body")
    func page() async throws {
        let server = try Strawberry()
        let page = await #expect(throws: GraphQLError.self) { try await server.client("page").execute(HeroQuery(id: "1")) }
        guard case .http(.decodingFailed(let failure))? = page else {
            Issue.record("\(String(describing: page))")
            return
        }
        #expect(failure.response.body == Data("<p>no graph</p>".utf8))
        let missing = await #expect(throws: GraphQLError.self) { try await server.client("nowhere").execute(HeroQuery(id: "1")) }
        guard case .http(.statusCode(let response))? = missing else {
            Issue.record("\(String(describing: missing))")
            return
        }
        #expect(response.status == .notFound && response.body == Data("<p>no graph</p>".utf8))
    }

    @Test("A mutation is sent once, and null and omitted fields reach the server as different values")
    func mutation() async throws {
        struct Rename: GraphQLMutation {
            struct Data: Decodable, Sendable { let rename: String }
            static let document: GraphQLDocument = "mutation Rename($bird: Rename!) { rename(bird: $bird) }"
            let bird: GraphQLVariable
        }
        let server = try Strawberry()
        let client = server.client(), name = "Apus \u{1F426} \"apus\""
        #expect(try await client.execute(Rename(bird: ["id": "1", "name": "\(name)"])).rename == "1 is \(name)")
        #expect(try await client.execute(Rename(bird: ["id": "1", "name": nil])).rename == "cleared")
        #expect(try await client.execute(Rename(bird: ["id": "1"])).rename == "left alone")
        let refused = await #expect(throws: GraphQLError.self) { try await client.execute(Rename(bird: ["id": "1", "name": ""])) }
        #expect(refused?.errors.map(\.code) == ["BAD_USER_INPUT"])
        #expect(try await server.served().requests == 4)
    }

    @Test("UInt64 values and decimals and big integers as text keep every digit in both directions")
    func numbers() async throws {
        let bird = try await Strawberry().client().execute(numbersOfAuk).hero
        #expect(bird.weight == "12345678901234567890.123456789" && bird.flown == "170141183460469231731687303715884105727")
        #expect(bird.beats == .max && bird.ringed == Date(timeIntervalSince1970: 1_778_985_000.25))
        #expect(
            try await told(of: bird, Strawberry().client())
                == "170141183460469231731687303715884105728 18446744073709551616 12345678901234567890.123456789 2026-05-17T02:30:00+00:00")
    }

    @Test("Dates use the date strategy of the client's encoder")
    func dates() async throws {
        let bird = try await Strawberry().client().execute(numbersOfAuk).hero
        let client = try Strawberry().client { configuration in
            var encoder = JSONBodyEncoder.json
            encoder.dateEncodingStrategy = .custom { date, encoder in
                var container = encoder.singleValueContainer()
                try container.encode(date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
            }
            configuration.encoder = encoder
        }
        #expect(try await told(of: bird, client).hasSuffix(" 2026-05-17T02:30:00.250000+00:00"))
    }

    private struct Numbers: Decodable, Sendable {
        struct Hero: Decodable, Sendable {
            let weight: String
            let ringed: Date
            let flown: String
            let beats: UInt64
        }
        let hero: Hero
    }

    private let numbersOfAuk = GraphQLOperation<Numbers>("{ hero(id: \"3\") { weight ringed flown beats } }")

    /// Returns the numbers of a bird as the server read them, with the integers increased by one.
    private func told(of bird: Numbers.Hero, _ client: GraphQLClient) async throws -> String {
        let document: GraphQLDocument =
            "query Sum($f: BigInteger!, $b: Digits!, $w: Decimal!, $r: DateTime!) { sum(flown: $f, beats: $b, weight: $w, ringed: $r) }"
        let sum = GraphQLOperation<[String: String]>(
            document, variables: ["f": bird.flown, "b": bird.beats, "w": bird.weight, "r": bird.ringed])
        return try #require(try await client.execute(sum)["sum"])
    }
}
