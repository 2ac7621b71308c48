import Foundation
import Martlet
import MartletGraphQL
import Testing

/// Sends operations to strawberry by GET, by hash, in batches, and with rejected credentials.
@Suite("Strawberry: requests", .timeLimit(.minutes(1)))
struct StrawberryRequestsTests {
    private struct Hero: Decodable, Sendable, Equatable {
        let name: String
        let song: String?
    }

    private struct HeroData: Decodable, Sendable, Equatable { let hero: Hero? }

    private let hero = GraphQLOperation<HeroData>("query Hero($id: ID!) { hero(id: $id) { name } }", variables: ["id": "1"])
    private let swift = HeroData(hero: Hero(name: "Swift", song: nil))
    private let rename = GraphQLOperation<[String: String]>(
        "mutation Rename($name: String) { rename(bird: {id: \"1\", name: $name}) }", variables: ["name": "Apus & co + 1"])

    @Test("A query works by GET with special characters in variables, and a mutation uses POST")
    func get() async throws {
        let client = try Strawberry().client { $0.sendsQueriesByGET = true }
        let response = try await client.response(for: hero)
        #expect(response.result == .complete(swift))
        #expect(response.http.metadata.request?.method == .get)
        let odd = hero.setting("id", to: "a&b=c+d %23 ü \u{1F426} \"}#")
        #expect(try await client.execute(odd) == HeroData(hero: nil))
        let renamed = try await client.response(for: rename)
        #expect(renamed.result == .complete(["rename": "1 is Apus & co + 1"]) && renamed.http.metadata.request?.method == .post)
    }

    @Test("A document is sent once; later requests send only its hash, by POST or GET", arguments: [false, true])
    func persisted(_ getsHashes: Bool) async throws {
        let server = try Strawberry()
        let client = server.client { $0.persistedQueries = .automatic(getsHashes: getsHashes) }
        // The document must be new to the server.
        let name = "Q" + server.session.filter { $0 != "-" }
        let operation = GraphQLOperation<HeroData>("query \(raw: name)($id: ID!) { hero(id: $id) { name } }", variables: ["id": "1"])
        #expect(try await client.execute(operation) == swift)
        let first = try await server.served()
        #expect(first.requests == 2 && first.documents == 1 && first.hashes.count == 2)
        #expect(try await client.execute(operation.setting("id", to: "nobody")) == HeroData(hero: nil))
        let hash = try #require(first.hashes.first)
        let safelisted = server.client { $0.persistedQueries = .safelisted(usesApolloExtension: true) { _ in hash } }
        #expect(try await safelisted.execute(operation) == swift)
        let second = try await server.served()
        #expect(second.requests == 4 && second.documents == 1 && second.hashes == Array(repeating: hash, count: 4))
    }

    @Test("An unknown safelisted ID is the server's error, and the document is not sent")
    func unknownID() async throws {
        let server = try Strawberry()
        let client = server.client { $0.persistedQueries = .safelisted(usesApolloExtension: true) { _ in "0000" } }
        #expect(try await client.result(of: hero).errors.map(\.code) == ["PERSISTED_QUERY_NOT_FOUND"])
        #expect(try await server.served().documents == 0)
    }

    @Test("A batch is one request, and a failed operation does not affect the others")
    func batch() async throws {
        let server = try Strawberry()
        let client = server.client()
        let invalid = GraphQLOperation<[String: String]>("query Invalid { nope }")
        let undecodable = GraphQLOperation<[String: Int]>("query Undecodable { heroes { name } }")
        let (first, second, third, fourth) = try await client.batch(hero, rename, invalid, undecodable)
        #expect(try first.data() == swift)
        #expect(try second.data() == ["rename": "1 is Apus & co + 1"])
        #expect(try third.get().result.errors.count == 1)
        guard case .failure(.http(.decodingFailed)) = fourth else {
            Issue.record("\(fourth)")
            return
        }
        #expect(try await server.served().requests == 1)
        let nine = try await client.batch((1...9).map { hero.setting("id", to: .string("\($0)")) })
        let names = try nine.map { outcome in try outcome.data().hero?.name }
        #expect(names == ["Swift", "Martlet", "Auk", nil, nil, nil, nil, nil, nil])
    }

    @Test("A batch that the server refuses is an error with its status and body")
    func tooMany() async throws {
        let client = try Strawberry().client()
        let error = await #expect(throws: GraphQLError.self) { try await client.batch(Array(repeating: hero, count: 11)) }
        #expect(error?.httpError?.status == .badRequest)
        #expect(error?.httpError?.response?.body == Data("Too many operations".utf8))
    }

    @Test("Concurrent identical queries are sent once, and each caller gets the data")
    func deduplication() async throws {
        let server = try Strawberry()
        let client = server.client { $0.deduplicatesQueries = true }
        let song = GraphQLOperation<HeroData>("query Song { hero(id: \"2\") { name song(after: 0.5) } }")
        let all = try await withThrowingTaskGroup(of: HeroData.self) { group in
            for _ in 0..<20 { group.addTask { try await client.execute(song) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(all == Array(repeating: HeroData(hero: Hero(name: "Martlet", song: "the song of Martlet")), count: 20))
        #expect(try await server.served().requests == 1)
    }

    private struct Me: Decodable, Sendable, Equatable {
        struct User: Decodable, Sendable, Equatable { let name: String }
        let me: User
    }

    /// A provider whose first token the server rejects.
    private actor Feathers: TokenProvider {
        private(set) var renewals = 0
        private let second: String

        init(second: String) { self.second = second }

        func token() -> AccessToken? { AccessToken(renewals == 0 ? "worn" : second) }

        func token(replacing rejected: AccessToken) async throws -> AccessToken? {
            renewals += 1
            try await Task.sleep(for: .milliseconds(20))
            return AccessToken(second)
        }
    }

    @Test("UNAUTHENTICATED in a 200 renews the token once for twenty calls, and each call is resent")
    func renewal() async throws {
        let feathers = Feathers(second: "feather")
        let server = try Strawberry(interceptors: [AuthInterceptor(feathers)])
        let client = server.client { $0.deduplicatesQueries = false }
        let user = Me(me: .init(name: "a bird of passage"))
        let me = GraphQLOperation<Me>("query Me { me { name } }")
        let users = try await withThrowingTaskGroup(of: Me.self) { group in
            for _ in 0..<20 { group.addTask { try await client.execute(me) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(users == Array(repeating: user, count: 20))
        #expect(await feathers.renewals == 1)
        let (first, second) = try await client.batch(me, hero)
        #expect(try first.data() == user)
        #expect(try second.data() == swift)
        #expect(await feathers.renewals == 1)
    }

    @Test("A second UNAUTHENTICATED reaches the caller, and only the rejected operation of a batch is resent")
    func refused() async throws {
        let feathers = Feathers(second: "another")
        let server = try Strawberry(interceptors: [AuthInterceptor(feathers)])
        let me = GraphQLOperation<Me>("query Me { me { name } }")
        let error = await #expect(throws: GraphQLError.self) { try await server.client().execute(me) }
        #expect(error?.isAuthenticationError == true && error?.errors.map(\.code) == ["UNAUTHENTICATED"])
        #expect(try await server.served().requests == 2)
        #expect(await feathers.renewals == 1)

        let others = try Strawberry(interceptors: [AuthInterceptor(Feathers(second: "feather"))])
        let (mine, renamed) = try await others.client().batch(me, rename)
        #expect(try mine.data().me.name == "a bird of passage")
        #expect(try renamed.data() == ["rename": "1 is Apus & co + 1"])
        let served = try await others.served()
        #expect(served.requests == 2 && served.documents == 3)
    }
}
