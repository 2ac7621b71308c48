import Foundation
import MartletSystem
import MartletTesting
import Testing

@testable import MartletClient
@testable import MartletGraphQL

@Suite("Users who share a GraphQL client without a scope", .timeLimit(.minutes(5)))
struct UserSeparationTests {
    /// The signed-in user, or nil.
    private final class Session: TokenProvider {
        let user: Locked<String?>
        init(_ user: String?) { self.user = Locked(user) }
        func token() async throws -> AccessToken? { user.withLock { $0 }.map { AccessToken($0) } }
        func token(replacing rejected: AccessToken) async throws -> AccessToken? { nil }
    }

    private struct Adding: Interceptor {
        let name: HTTPFieldName
        let session: Session

        func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
            var request = request
            request.headers[name] = session.user.withLock { $0 }
            return try await next(request)
        }
    }

    private static let secrets: [HTTPFieldName] = [.authorization, "X-Session-Id", .cookie]

    /// Responds with the user's name.
    private static func reply(_ request: HTTPRequest) -> MockReply {
        let user = secrets.compactMap { request.headers[$0] }.first.map { String($0.split(separator: " ").last ?? "") } ?? "nobody"
        return .json(#"{"data":{"hero":{"name":"\#(user)","__typename":"Hero"}}}"#)
    }

    private func name(_ client: GraphQLClient, _ headers: HTTPFields = [:], _ policy: GraphQLCachePolicy? = nil) async throws -> String? {
        try await client.execute(Wire.hero, options: .init(headers: headers, cachePolicy: policy)).hero?.name
    }

    @Test("With an AuthInterceptor users never share data before sign-in, after sign-out or after a change of user")
    func tokens() async throws {
        let session = Session(nil), cache = GraphQLDocumentCache()
        let client = Wire.client(
            MockTransport { Self.reply($0) }, [AuthInterceptor(session)], configuration: .init(cache: cache))
        for user in [nil, "ann", nil, "bob", "ann"] {
            session.user.withLock { $0 = user }
            for policy in [GraphQLCachePolicy.cacheFirst, .cacheAndNetwork, .networkOnly] {
                #expect(try await name(client, [:], policy) == user ?? "nobody")
            }
            await #expect(throws: GraphQLError.notCached) { try await name(client, [:], .cacheOnly) }
            var values: [String?] = []
            for try await response in client.values(Wire.hero) { values.append(response.result.data?.hero?.name) }
            #expect(values == [user ?? "nobody"])
        }
        #expect(cache.count == 0)
    }

    @Test("With an interceptor that adds a secret field, users never share data", arguments: secrets)
    func fields(name field: HTTPFieldName) async throws {
        let session = Session("ann")
        let cache = GraphQLDocumentCache()
        let client = Wire.client(
            MockTransport { Self.reply($0) }, [Adding(name: field, session: session)], configuration: .init(cache: cache))
        for user in ["ann", "bob"] {
            session.user.withLock { $0 = user }
            #expect(try await name(client) == user)
        }
        #expect(cache.count == 0)
    }

    @Test("A credential set by hand is part of the key as a digest, and the user's responses are stored")
    func byHand() async throws {
        let transport = MockTransport { Self.reply($0) }
        let client = Wire.client(transport, [AuthInterceptor(Session("ann"))], configuration: .init(cache: GraphQLDocumentCache()))
        for _ in 0..<2 {
            for user in ["bob", "eve"] { #expect(try await name(client, [.authorization: "Bearer \(user)"]) == user) }
        }
        #expect(transport.requests.count == 2)
    }

    @Test("Clients that share a cache and have different default fields do not share responses")
    func defaults() async throws {
        let cache = GraphQLDocumentCache(), transport = MockTransport { Self.reply($0) }
        for _ in 0..<2 {
            for user in ["ann", "bob"] {
                let http = HTTPClient(
                    baseURL: URL(string: "https://api.example"), transport: transport,
                    configuration: .init(headers: ["X-Session-Id": user]))
                #expect(try await name(GraphQLClient(http, configuration: .init(cache: cache))) == user)
            }
        }
        #expect(transport.requests.count == 2)
    }

    private static let unknown: [HTTPFieldName] = [
        "X-Query-Key", "X-Appwrite-Key", "X-MC-Auth", "X-Honeycomb-Team", "X-Remote-User", "X-2FA-Code", "X-Forwarded-Client-Cert",
    ]

    @Test("Clients that share a cache and add a field of an unknown name by an interceptor do not share responses", arguments: unknown)
    func unknownFields(field: HTTPFieldName) async throws {
        let cache = GraphQLDocumentCache()
        let transport = MockTransport { request in
            .json(#"{"data":{"hero":{"name":"\#(request.headers[field] ?? "nobody")","__typename":"Hero"}}}"#)
        }
        for user in ["ann", "bob"] {
            let headers = HeadersInterceptor([field: user])
            #expect(try await name(Wire.client(transport, [headers], configuration: .init(cache: cache))) == user)
        }
        #expect(cache.count == 0)
        // A field of the call itself is part of the key, and its value is not.
        for _ in 0..<2 {
            for user in ["ann", "bob"] {
                #expect(try await name(Wire.client(transport, [], configuration: .init(cache: cache)), [field: user]) == user)
            }
        }
        #expect(cache.count == 2 && transport.requests.count == 4)
    }

    @Test("An interceptor that adds only harmless fields does not keep responses from being stored")
    func harmlessFields() async throws {
        let cache = GraphQLDocumentCache(), transport = MockTransport { Self.reply($0) }
        let fields: HTTPFields = [.acceptLanguage: "en", "X-Request-ID": "1", "X-Build": "2"]
        for interceptor in [HeadersInterceptor(fields), .app(AppMetadata(name: "Birds", version: "1"))] {
            let http = HTTPClient(
                baseURL: URL(string: "https://api.example"), transport: transport, interceptors: [interceptor],
                configuration: .init(harmlessFields: ["x-build"]))
            _ = try await name(GraphQLClient(http, configuration: .init(cache: cache)))
        }
        #expect(cache.count == 1 && transport.requests.count == 1)
    }

    @Test("With a scope each user's responses are stored, but not if the user changes during the request")
    func scope() async throws {
        let session = Session("ann"), isLeaving = Locked(false), cache = GraphQLDocumentCache()
        let transport = MockTransport { request in
            if isLeaving.withLock({ $0 }) { session.user.withLock { $0 = "bob" } }
            return Self.reply(request)
        }
        let client = Wire.client(
            transport, [AuthInterceptor(session)],
            configuration: .init(cache: cache, scope: { session.user.withLock { $0 } ?? "" }))
        for _ in 0..<2 { #expect(try await name(client) == "ann") }
        #expect(cache.count == 1 && transport.requests.count == 1)
        cache.removeAll()
        isLeaving.withLock { $0 = true }
        #expect(try await name(client) == "ann")
        #expect(cache.count == 0)
    }

    @Test("Without a scope, a query that shared another user's query is sent by itself, and later queries are not shared")
    func underWay() async throws {
        let session = Session("ann"), gate = Gate()
        let transport = MockTransport { request in
            await gate.pass()
            return Self.reply(request)
        }
        let client = Wire.client(transport, [AuthInterceptor(session)], configuration: .init(deduplicatesQueries: true))
        let ann = Task { try await name(client) }
        try await transport.waitForRequests(1)
        session.user.withLock { $0 = "bob" }
        let bob = Task { try await name(client) }
        while client.shared.flights.waiterCount < 2 { await Task.yield() }
        gate.open()
        #expect(try await ann.value == "ann")
        #expect(try await bob.value == "bob")
        #expect(client.shared.hasUnseenCredentials.withLock { $0 } && transport.requests.count == 2)
    }

    @Test("A call that outlives a shared request and joins another user's is then sent by itself")
    func underWayAgain() async throws {
        let session = Session("ann"), gate = Gate(), time = ManualTime(autoAdvances: false), count = Locked(0)
        let transport = MockTransport(time: time) { request in
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            if isFirst { return .silence }
            await gate.pass()
            return Self.reply(request)
        }
        let client = Wire.client(
            transport, [Adding(name: "X-Session-Id", session: session)], time: time, configuration: .init(deduplicatesQueries: true))
        let ann = Task { try await name(client) }
        try await transport.waitForRequests(1)
        try await time.waitForTimers(1)
        time.advance(by: .seconds(50))
        session.user.withLock { $0 = "bob" }
        let late = (0..<2).map { _ in Task { try await name(client) } }
        while client.shared.flights.waiterCount < 3 { await Task.yield() }
        // The first request has timed out. One of the two calls sends the second, and the other joins it.
        time.advance(by: .seconds(11))
        await #expect(throws: GraphQLError.http(.timeout)) { try await ann.value }
        try await transport.waitForRequests(2)
        while client.shared.flights.waiterCount < 2 { await Task.yield() }
        session.user.withLock { $0 = "eve" }
        gate.open()
        var names: [String?] = []
        for task in late { names.append(try await task.value) }
        #expect(Set(names) == ["bob", "eve"] && transport.requests.count == 3)
        #expect(client.shared.hasUnseenCredentials.withLock { $0 })
    }

    @Test("Behind an interceptor that adds a secret field after sign-in, responses from before sign-in are not used")
    func signingIn() async throws {
        let session = Session(nil), cache = GraphQLDocumentCache()
        let client = Wire.client(
            MockTransport { Self.reply($0) }, [Adding(name: "X-Session-Id", session: session)], configuration: .init(cache: cache))
        #expect(try await name(client) == "nobody")
        session.user.withLock { $0 = "ann" }
        #expect(try await name(client) == "ann")
        #expect(cache.count == 0)
    }

    @Test("The cache is used with interceptors that add only harmless fields, but not with one that adds another field or is unknown")
    func harmless() async throws {
        let harmless: [any Interceptor] = [
            HeadersInterceptor(["Accept-Language": "en"]), IdempotencyKeyInterceptor(), RetryInterceptor(), PrivateAddressGuard(),
        ]
        let others: [[any Interceptor]] = [
            [], [HeadersInterceptor(["X-Api-Key": "k"])], [HeadersInterceptor(["X-App": "1"])],
            [Adding(name: "X-App", session: Session(nil))],
        ]
        for (more, count) in zip(others, [1, 0, 0, 0]) {
            let cache = GraphQLDocumentCache()
            let client = Wire.client(MockTransport { Self.reply($0) }, harmless + more, configuration: .init(cache: cache))
            _ = try await name(client)
            #expect(cache.count == count)
        }
    }

    @Test("A response stored for all users is not used by a client with a secret field or of an unknown type")
    func storedForEverybody() async throws {
        let cache = GraphQLDocumentCache(), transport = MockTransport { Self.reply($0) }
        let url = try #require(URL(string: "https://api.example/graphql"))
        func http(_ interceptors: any Interceptor...) -> HTTPClient { HTTPClient(transport: transport, interceptors: interceptors) }
        func name(_ client: any HTTPClientProtocol) async throws -> String? {
            try await self.name(GraphQLClient(client, url: url, configuration: .init(cache: cache)))
        }
        #expect(try await name(http()) == "nobody")
        #expect(cache.count == 1)
        #expect(try await name(http(HeadersInterceptor(["X-Session-Id": "k"]))) == "k")
        #expect(try await name(Wrapper(client: http())) == "nobody")
        #expect(try await name(Wrapper(client: http(Adding(name: "X-Session-Id", session: Session("ann"))))) == "ann")
        #expect(cache.count == 1 && transport.requests.count == 4)
    }
}

/// A client type defined by an app.
private struct Wrapper: HTTPClientProtocol {
    let client: HTTPClient

    @concurrent func perform<E: Endpoint, Value: Sendable>(
        _ endpoint: E, options: CallOptions, decoding: ResponseDecoding<Value>
    ) async throws(HTTPError) -> HTTPResponse<Value> { try await client.perform(endpoint, options: options, decoding: decoding) }

    @concurrent func stream<E: Endpoint>(_ endpoint: E, options: CallOptions) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        try await client.stream(endpoint, options: options)
    }
}
