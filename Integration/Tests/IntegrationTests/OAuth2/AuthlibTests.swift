import Foundation
import Martlet
import MartletTesting
import Testing

/// Against Integration/servers/authlib_server.py: tokens live for two seconds, and a refresh token that is used twice ends its session.
@Suite("Authlib", .serialized)
struct AuthlibTests {
    private struct Resource: Decodable, Sendable {
        let session: String
        let generation: Int
        let scope: String
    }

    /// What the server itself has counted of a session.
    private struct Counts: Decodable, Sendable {
        /// How many refreshes succeeded.
        let refreshes: Int
        /// How many times a refresh token came that had been used.
        let reuses: Int
        /// How many refreshes were refused with `invalid_grant`.
        let dead: Int
        /// How many requests came with a token that had expired, or whose session had ended.
        let refused: Int
        /// With how many such tokens.
        let expired: Int
    }

    private let callers = 200
    private let redirectURI = "birds://signed-in?from=id"

    private func url(_ path: String) throws -> URL { try Servers.url("OAUTH", path, scheme: "http") }

    private func oauth(
        id: String = "birds", secret: String? = nil, _ way: OAuth2Client.Authentication = .basic
    ) throws -> OAuth2Client {
        OAuth2Client(id: id, secret: secret, authentication: way, tokenEndpoint: try url("/token"), http: HTTPClient())
    }

    private func authorization(_ parameters: Query = [:]) throws -> OAuth2Authorization {
        try OAuth2Authorization(
            endpoint: try url("/authorize"), clientID: "birds", redirectURI: redirectURI, scopes: ["read"], parameters: parameters)
    }

    /// Where the page sends the user back to: what a browser would do with it.
    private func callback(of authorization: OAuth2Authorization) async throws -> URL {
        var request = Request<Data>.get(url: authorization.url)
        request.options.redirects = .none
        request.validation = .none
        let location = try await HTTPClient().response(for: request).headers[.location]
        return try #require(location.flatMap { URL(string: $0) })
    }

    /// The token of a new session.
    private func signedIn() async throws -> AccessToken {
        let authorization = try authorization()
        return try await oauth().exchange(callback: try await callback(of: authorization), of: authorization)
    }

    private func client(_ provider: any TokenProvider) throws -> HTTPClient {
        HTTPClient(baseURL: try url("/"), interceptors: [AuthInterceptor(provider)])
    }

    private func counts(_ session: String) async throws -> Counts {
        try await HTTPClient(baseURL: try url("/")).send(Request<Counts>.get("sessions/\(session)"))
    }

    /// A token of two seconds is used for one and a half before it is refreshed, however slow the machine is.
    private func mostRefreshes(since start: ContinuousClock.Instant) -> Int { Int((ContinuousClock.now - start) / .seconds(1.5)) + 1 }

    /// Many callers at once, each until it has seen a number of refreshes; gives the session's name and how many calls there were.
    private func traffic(_ client: HTTPClient, until generation: Int) async throws -> (session: String, calls: Int) {
        try await withThrowingTaskGroup(of: (String, Int).self) { group in
            for _ in 0..<callers {
                group.addTask {
                    var calls = 0
                    while calls < 1000 {
                        calls += 1
                        let resource = try await client.send(Request<Resource>.get("resource"))
                        if resource.generation >= generation { return (resource.session, calls) }
                        try await Task.sleep(for: .milliseconds(100))
                    }
                    throw HTTPError.timeout
                }
            }
            var all = (session: "", calls: 0)
            for try await (session, calls) in group { all = (session, all.calls + calls) }
            return all
        }
    }

    @Test("200 callers, nobody knows when a token expires: one refresh for each that the server refuses, no refresh token used twice")
    func byRefusal() async throws {
        let oauth = try oauth()
        var first = try await signedIn()
        first.expiry = nil
        let provider = StoredTokenProvider(store: InMemoryTokenStore(first)) { old in
            var fresh = try await oauth.refresh(old)
            fresh.expiry = nil
            return fresh
        }
        let (session, calls) = try await traffic(client(provider), until: 3)
        let counts = try await counts(session)
        #expect(counts.refreshes >= 3)
        #expect(counts.refreshes == counts.expired)
        #expect(counts.reuses == 0 && counts.dead == 0)
        #expect(counts.refused <= counts.expired * callers && calls >= callers)
    }

    @Test("200 callers, tokens are refreshed before they expire: one refresh each, no refresh token used twice")
    func ahead() async throws {
        let provider = OAuth2TokenProvider(try oauth(), store: InMemoryTokenStore(try await signedIn()))
        let start = ContinuousClock.now
        let (session, _) = try await traffic(client(provider), until: 3)
        let counts = try await counts(session)
        #expect(counts.refreshes >= 3 && counts.refreshes <= mostRefreshes(since: start))
        #expect(counts.reuses == 0 && counts.dead == 0)
    }

    @Test("Two clients over one provider, and callers who are cancelled, do not refresh more often")
    func sharedAndCancelled() async throws {
        let provider = OAuth2TokenProvider(try oauth(), store: InMemoryTokenStore(try await signedIn()))
        let first = try client(provider), second = try client(provider)
        let fickle = Task {
            while !Task.isCancelled {
                let call = Task { await first.result(of: Request<Resource>.get("resource")) }
                try? await Task.sleep(for: .milliseconds(20))
                call.cancel()
                _ = await call.value
            }
        }
        let start = ContinuousClock.now
        let (session, _) = try await traffic(second, until: 2)
        fickle.cancel()
        await fickle.value
        let counts = try await counts(session)
        #expect(counts.refreshes >= 2 && counts.refreshes <= mostRefreshes(since: start))
        #expect(counts.reuses == 0 && counts.dead == 0)
    }

    @Test("The server knows a refresh token that is used twice, and ends the session: the tests above would have seen it")
    func reuse() async throws {
        let token = try await signedIn(), oauth = try oauth()
        let session = try await client(StaticTokenProvider(token)).send(Request<Resource>.get("resource")).session
        _ = try await oauth.refresh(token)
        await #expect(throws: OAuth2Error.refused(OAuth2Refusal(.invalidGrant))) { try await oauth.refresh(token) }
        #expect(try await counts(session).reuses == 1)
    }

    @Test("A session that the server ends is told once to the app, its store is cleared, and everybody fails as unauthorized")
    func sessionEnd() async throws {
        let store = InMemoryTokenStore(try await signedIn())
        let told = Recorder<SessionEndedError>()
        let provider = OAuth2TokenProvider(try oauth(), store: store) { told.append($0) }
        var ends = provider.sessionEnded.makeAsyncIterator()
        let client = try client(provider)
        let session = try await client.send(Request<Resource>.get("resource")).session
        try await HTTPClient(baseURL: try url("/")).send(Request<Void>.post("sessions/\(session)/end"))
        let app = client.mappingErrors(HTTPErrorMapper())
        await withTaskGroup { group in
            for _ in 0..<callers {
                group.addTask { await #expect(throws: APIError.unauthorized) { try await app.send(Request<Resource>.get("resource")) } }
            }
        }
        #expect(told.values.map { $0.cause as? OAuth2Error } == [.refused(OAuth2Refusal(.invalidGrant))])
        #expect(await ends.next()?.cause as? OAuth2Error == .refused(OAuth2Refusal(.invalidGrant)))
        #expect(try await store.load() == nil)
        #expect(try await counts(session).dead == 1)
    }

    @Test(
        "A client gets a token for itself, by Basic and in the body; a wrong secret is refused",
        arguments: [
            OAuth2Client.Authentication.basic, .body,
        ])
    func clientCredentials(way: OAuth2Client.Authentication) async throws {
        let oauth = try oauth(id: "a service", secret: "s3cret:%&+ü", way)
        let provider = OAuth2TokenProvider(oauth, grant: .clientCredentials(scopes: ["read", "write"]))
        #expect(try await client(provider).send(Request<Resource>.get("resource")).scope == "read write")
        let error = await #expect(throws: OAuth2Error.self) { try await self.oauth(id: "a service", secret: "no", way).clientCredentials() }
        guard case .refused(let refusal)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(refusal.code == .invalidClient)
    }

    @Test("A code is exchanged with its proof, once; without the right proof it is refused (RFC 7636 §4.6)")
    func authorizationCode() async throws {
        let oauth = try oauth()
        let authorization = try authorization(), other = try self.authorization()
        let code = try authorization.code(in: try await callback(of: authorization))
        await #expect(throws: OAuth2Error.self) { try await oauth.exchange(code: code, of: other) }
        let token = try await oauth.exchange(code: code, of: authorization)
        #expect(token.scopes == ["read"] && token.refreshToken != nil && token.expiry != nil)
        #expect(try await client(StaticTokenProvider(token)).send(Request<Resource>.get("resource")).generation == 0)
        await #expect(throws: OAuth2Error.self) { try await oauth.exchange(code: code, of: authorization) }
    }

    @Test("A user who says no is a refusal (RFC 6749 §4.1.2.1)")
    func denied() async throws {
        let authorization = try authorization(["prompt": "refuse"])
        let callback = try await callback(of: authorization)
        let error = #expect(throws: OAuth2Error.self) { try authorization.code(in: callback) }
        guard case .refused(let refusal)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(refusal.code == .accessDenied)
    }
}
