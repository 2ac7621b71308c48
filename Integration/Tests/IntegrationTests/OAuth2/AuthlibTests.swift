import Foundation
import Martlet
import MartletTesting
import Testing

/// Tests against Integration/servers/authlib_server.py: tokens live for two seconds, and using a refresh token twice ends its session.
@Suite("Authlib", .serialized)
struct AuthlibTests {
    private struct Resource: Decodable, Sendable {
        let session: String
        let generation: Int
        let scope: String
    }

    /// The server's own counts of a session.
    private struct Counts: Decodable, Sendable {
        /// The number of successful refreshes.
        let refreshes: Int
        /// The number of times that a used refresh token was sent again.
        let reuses: Int
        /// The number of refreshes refused with `invalid_grant`.
        let dead: Int
        /// The number of requests with a token that had expired or whose session had ended.
        let refused: Int
        /// The number of different such tokens.
        let expired: Int
    }

    private let callers = 200
    private let redirectURI = "birds://signed-in?from=id"

    private func url(_ path: String) throws -> URL { try Servers.url("OAUTH", path, scheme: "http") }

    private func oauth(
        id: String = "birds", secret: String? = nil, sendsSecretInBody: Bool = false
    ) throws -> OAuth2Client {
        OAuth2Client(id: id, secret: secret, sendsSecretInBody: sendsSecretInBody, tokenEndpoint: try url("/token"), http: HTTPClient())
    }

    private func authorization(_ parameters: Query = [:]) throws -> OAuth2Authorization {
        try OAuth2Authorization(
            endpoint: try url("/authorize"), clientID: "birds", redirectURI: redirectURI, scopes: ["read"], parameters: parameters)
    }

    /// Requests the page as a browser does and returns the URL of its redirect.
    private func callback(of authorization: OAuth2Authorization) async throws -> URL {
        var request = Request<Data>.get(url: authorization.url)
        request.options.redirects = .none
        request.validation = .none
        let location = try await HTTPClient().response(for: request).headers[.location]
        return try #require(location.flatMap { URL(string: $0) })
    }

    /// Signs in and returns the token of the new session.
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

    /// Returns the maximum number of refreshes: a token that lives for two seconds is used for at least one and a half.
    private func mostRefreshes(since start: ContinuousClock.Instant) -> Int { Int((ContinuousClock.now - start) / .seconds(1.5)) + 1 }

    /// Sends requests from many callers until each has seen a number of refreshes. Returns the session's name and the number of calls.
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

    @Test("With 200 callers and unknown expiry there is one refresh per rejected token, and none is used twice")
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

    @Test("With 200 callers each token is refreshed once before it expires, and no refresh token is used twice")
    func ahead() async throws {
        let provider = OAuth2TokenProvider(try oauth(), store: InMemoryTokenStore(try await signedIn()))
        let start = ContinuousClock.now
        let (session, _) = try await traffic(client(provider), until: 3)
        let counts = try await counts(session)
        #expect(counts.refreshes >= 3 && counts.refreshes <= mostRefreshes(since: start))
        #expect(counts.reuses == 0 && counts.dead == 0)
    }

    @Test("Two clients over one provider and cancelled callers cause no additional refreshes")
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

    @Test("The server detects a refresh token that is used twice, so the tests above would notice it")
    func reuse() async throws {
        let token = try await signedIn(), oauth = try oauth()
        let session = try await client(token).send(Request<Resource>.get("resource")).session
        _ = try await oauth.refresh(token)
        await #expect(throws: OAuth2Error.refused(OAuth2Refusal(.invalidGrant))) { try await oauth.refresh(token) }
        #expect(try await counts(session).reuses == 1)
    }

    @Test("When the server ends the session, the app is notified once, the store is cleared and all calls are unauthorized")
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
        "Client credentials work by Basic and in the body, and a wrong secret is refused", arguments: [false, true])
    func clientCredentials(isInBody: Bool) async throws {
        let oauth = try oauth(id: "a service", secret: "s3cret:%&+ü", sendsSecretInBody: isInBody)
        let provider = OAuth2TokenProvider(oauth, grant: .clientCredentials(scopes: ["read", "write"]))
        #expect(try await client(provider).send(Request<Resource>.get("resource")).scope == "read write")
        let error = await #expect(throws: OAuth2Error.self) { try await self.oauth(id: "a service", secret: "no", sendsSecretInBody: isInBody).clientCredentials() }
        guard case .refused(let refusal)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(refusal.code == .invalidClient)
    }

    @Test("A code is exchanged once, and only with its PKCE verifier (RFC 7636 §4.6)")
    func authorizationCode() async throws {
        let oauth = try oauth()
        let authorization = try authorization(), other = try self.authorization()
        let code = try authorization.code(in: try await callback(of: authorization))
        await #expect(throws: OAuth2Error.self) { try await oauth.exchange(code: code, of: other) }
        let token = try await oauth.exchange(code: code, of: authorization)
        #expect(token.scopes == ["read"] && token.refreshToken != nil && token.expiry != nil)
        #expect(try await client(token).send(Request<Resource>.get("resource")).generation == 0)
        await #expect(throws: OAuth2Error.self) { try await oauth.exchange(code: code, of: authorization) }
    }

    @Test("A user who denies access causes the error access_denied (RFC 6749 §4.1.2.1)")
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
