import Foundation
import MartletTesting
import TestSupport
import Testing

@testable import MartletAuth

@Suite("OAuth 2", .timeLimit(.minutes(5)))
struct OAuth2Tests {
    private let time = ManualTime()
    private let endpoint = URL(string: "https://id.example/token")!

    private func oauth(
        _ transport: MockTransport, id: String = "birds", secret: String? = "s3cret", sendsSecretInBody: Bool = false
    ) -> OAuth2Client {
        OAuth2Client(
            id: id, secret: secret, sendsSecretInBody: sendsSecretInBody, tokenEndpoint: endpoint,
            http: HTTPClient(transport: transport, time: time))
    }

    private func body(_ request: HTTPRequest?) -> String? { request?.body?.buffered.map { String(decoding: $0, as: UTF8.self) } }

    @Test("A refresh sends refresh_token and reads the type, life and scopes (RFC 6749 §6, §5.1)")
    func refresh() async throws {
        let transport = MockTransport(
            .json(#"{"access_token":"new","token_type":"bearer","expires_in":3600,"refresh_token":"r2","scope":"read write"}"#))
        let token = try await oauth(transport).refresh(AccessToken("old", refreshToken: "r/1"))
        #expect(
            token
                == AccessToken(
                    "new", refreshToken: "r2", expiry: time.now.addingTimeInterval(3600), issued: time.now, scopes: ["read", "write"]))
        let request = transport.requests.first
        #expect(request?.method == .post)
        #expect(request?.headers[.contentType] == "application/x-www-form-urlencoded")
        #expect(body(request) == "grant_type=refresh_token&refresh_token=r%2F1")
    }

    @Test("A response without refresh token and scope keeps the old ones, and a token without a refresh token is a typed error")
    func keeps() async throws {
        let transport = MockTransport(.json(#"{"access_token":"new"}"#))
        let token = try await oauth(transport).refresh(AccessToken("old", refreshToken: "r1", scopes: ["read"]))
        #expect(token == AccessToken("new", refreshToken: "r1", issued: time.now, scopes: ["read"]))
        await #expect(throws: OAuth2Error.noRefreshToken) { try await oauth(transport).refresh(AccessToken("old")) }
    }

    @Test("The ID and secret are encoded before Basic (RFC 6749 §2.3.1), with a space as %20, which all servers accept")
    func basic() async throws {
        let transport = MockTransport(.json(#"{"access_token":"a"}"#))
        _ = try await oauth(transport, id: "a:b c", secret: "p%ä&~*").clientCredentials(scopes: ["read", "write"])
        let expected = Data("a%3Ab%20c:p%25%C3%A4%26~%2A".utf8).base64EncodedString()
        #expect(transport.requests.first?.headers[.authorization] == "Basic \(expected)")
        #expect(body(transport.requests.first) == "grant_type=client_credentials&scope=read+write")
    }

    @Test("With body authentication, the secret is only in the body, and a public client sends only its ID")
    func inBody() async throws {
        let transport = MockTransport { _ in .json(#"{"access_token":"a"}"#) }
        _ = try await oauth(transport, sendsSecretInBody: true).clientCredentials()
        _ = try await oauth(transport, secret: nil).clientCredentials()
        #expect(transport.requests.map { $0.headers[.authorization] } == [nil, nil])
        #expect(
            transport.requests.map(body) == [
                "grant_type=client_credentials&client_id=birds&client_secret=s3cret", "grant_type=client_credentials&client_id=birds",
            ])
    }

    @Test(
        "A refusal is a typed error with any status (RFC 6749 §5.2)",
        arguments: [
            "invalid_request", "invalid_client", "invalid_grant", "unauthorized_client", "unsupported_grant_type", "invalid_scope", "x",
        ])
    func refusals(code: String) async throws {
        for status: HTTPStatus in [400, 401, 200] {
            let transport = MockTransport(
                .json(#"{"error":"\#(code)","error_description":"no","error_uri":"https://id/e"}"#, status: status))
            let refusal = OAuth2Refusal(OAuth2Refusal.Code(rawValue: code), explanation: "no", page: "https://id/e")
            await #expect(throws: OAuth2Error.refused(refusal)) { try await oauth(transport).clientCredentials() }
        }
    }

    @Test(
        "HTML, malformed and empty responses, and JSON without a token, are typed errors that do not end the session",
        arguments: [
            ("<html>Sign in</html>", 200), ("", 200), ("[]", 200), ("null", 200), ("{}", 200), (#"{"access_token":""}"#, 200),
            (#"{"access_token":7}"#, 200), (#"{"access_token":"a\r\nX: y"}"#, 200), (#"{"error":{}}"#, 400), ("<html>No</html>", 404),
            (#"{"access_token":"a","token_type":"mac"}"#, 200), (#"{"access_token":"a","token_type":7}"#, 200),
            (#"{"access_token":"a","expires_in":36"#, 200),
        ])
    func garbage(text: String, status: Int) async throws {
        let transport = MockTransport(.text(text, status: HTTPStatus(rawValue: status)))
        let error = await #expect(throws: OAuth2Error.self) { try await oauth(transport).clientCredentials() }
        guard case .invalidAnswer(let told, let reason)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(told.rawValue == status && reason.contains("POST https://id.example/token"), "\(reason)")
        #expect(!SessionEndedError.isMeant(by: OAuth2Error.invalidAnswer(told, "")))
    }

    @Test(
        "A token server that fails or is overloaded is an error of HTTP, whatever the response says, and does not end the session",
        arguments: [
            ("{", 502), (#"{"access_token":"a"}"#, 500), (#"{"error":"invalid_grant"}"#, 500), ("<h1>busy</h1>", 503), ("", 504),
            (#"{"error":"invalid_grant"}"#, 429),
        ])
    func failingServer(text: String, status: Int) async throws {
        let transport = MockTransport(.text(text, status: HTTPStatus(rawValue: status), headers: [.retryAfter: "7"]))
        let error = try #require(await #expect(throws: OAuth2Error.self) { try await oauth(transport).clientCredentials() })
        guard case .http(.statusCode(let response)) = error else { Issue.record("\(error)"); return }
        #expect(response.status.rawValue == status && !SessionEndedError.isMeant(by: error))
        let expected = status == 429 ? APIError.rateLimited(retryAfter: .seconds(7)) : .serverError(status)
        #expect(error.errorDescription == expected.errorDescription)
    }

    @Test("A call whose token server fails is not told to sign in, and its text has the endpoint and the server's words")
    func failingRefresh() async throws {
        func error(_ reply: MockReply) async throws -> HTTPError {
            let provider = OAuth2TokenProvider(
                oauth(MockTransport(reply)), store: InMemoryTokenStore(AccessToken("old", refreshToken: "r")))
            let client = HTTPClient(
                baseURL: URL(string: "https://api.example"), transport: MockTransport { _ in .status(401) },
                interceptors: [AuthInterceptor(provider)], time: time)
            return try #require(await #expect(throws: HTTPError.self) { try await client.send(Request<EmptyResponse>.get("x")) })
        }
        let words = #"{"error":"server_error","error_description":"db down access_token=s3cret"}"#
        let failed = try await error(.json(words, status: 500))
        #expect(HTTPErrorMapper().map(failed) == .serverError(500) && HTTPErrorMapper().map(failed).isRetryable)
        for part in ["500 Internal Server Error", "POST https://id.example/token", "server_error", "db down"] {
            #expect("\(failed)".contains(part), "\(failed)")
        }
        #expect(!"\(failed)".contains("s3cret"))
        #expect(HTTPErrorMapper().map(try await error(.status(429, headers: [.retryAfter: "7"]))) == .rateLimited(retryAfter: .seconds(7)))
        let page = try await error(.text("<h1>Welcome to the hotel</h1>", headers: [.contentType: "text/html"]))
        #expect(HTTPErrorMapper().map(page) == .invalidResponse)
        #expect("\(page)".contains("POST https://id.example/token") && "\(page)".contains("Welcome to the hotel"), "\(page)")
        let nothing = try await error(.json("{}"))
        #expect("\(nothing)".contains("it has no access_token (POST https://id.example/token), body: {}"), "\(nothing)")
        let refused = try await error(.json(#"{"error":"temporarily_unavailable"}"#, status: 400))
        #expect(HTTPErrorMapper().map(refused) == .serverError(503))
        let ended = try await error(.json(#"{"error":"invalid_grant"}"#, status: 400))
        #expect(HTTPErrorMapper().map(ended) == .unauthorized)
    }

    @Test("A token type is accepted if the app lists it, and a missing type is the first in the list (RFC 6749 §7.1)")
    func types() async throws {
        func type(_ said: String) async throws -> String {
            let query = said.isEmpty ? "" : ",\"token_type\":\(said)"
            let transport = MockTransport(.json(#"{"access_token":"a"\#(query)}"#))
            return try await OAuth2Client(
                id: "birds", tokenEndpoint: endpoint, tokenTypes: ["Bearer", "DPoP"], http: HTTPClient(transport: transport), time: time
            ).clientCredentials().type
        }
        #expect(try await type(#""dpop""#) == "DPoP")
        #expect(try await type(#""BEARER""#) == "Bearer")
        #expect(try await type("null") == "Bearer")
        #expect(try await type("") == "Bearer")
        await #expect(throws: OAuth2Error.self) { try await type(#""mac""#) }
    }

    @Test("A redirect of the token endpoint is not followed, so that the secrets stay")
    func redirect() async throws {
        let transport = MockTransport(.status(307, headers: [.location: "https://evil.example/"]))
        await #expect(throws: OAuth2Error.self) { try await oauth(transport).clientCredentials() }
        #expect(transport.requests.count == 1)
    }

    @Test("A token endpoint over http is refused before anything is sent")
    func insecureEndpoint() async throws {
        let transport = MockTransport { _ in .json(#"{"access_token":"a"}"#) }
        let client = OAuth2Client(
            id: "birds", secret: "s3cret", tokenEndpoint: try #require(URL(string: "http://id.example/token?api_key=s3cret")),
            http: HTTPClient(transport: transport))
        let error = await #expect(throws: OAuth2Error.self) { try await client.clientCredentials() }
        guard case .insecureEndpoint(let why)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(!why.contains("s3cret"))
        await #expect(throws: OAuth2Error.self) { try await client.refresh(AccessToken("a", refreshToken: "r")) }
        #expect(transport.requests.isEmpty)
    }

    @Test("A token endpoint over http on loopback is accepted")
    func loopbackEndpoint() async throws {
        let transport = MockTransport { _ in .json(#"{"access_token":"a"}"#) }
        let client = OAuth2Client(
            id: "birds", tokenEndpoint: try #require(URL(string: "http://127.0.0.1:8080/token")), http: HTTPClient(transport: transport))
        #expect(try await client.clientCredentials().value == "a")
    }

    @Test(
        "A life that is zero, negative, too long or not a number is ignored, and a string with a number is accepted",
        arguments: [
            ("0", nil), ("-5", nil), ("1e300", nil), ("99999999999999999999", nil), ("null", nil), (#""soon""#, nil), (#""nan""#, nil),
            ("{}", nil), (#""60""#, 60), ("60.5", 60.5), ("315360000", 315_360_000), ("315360001", nil),
        ] as [(String, Double?)])
    func life(text: String, seconds: Double?) async throws {
        let transport = MockTransport(.json(#"{"access_token":"a","expires_in":\#(text)}"#))
        let token = try await oauth(transport).clientCredentials()
        #expect(token.expiry == seconds.map { time.now.addingTimeInterval($0) })
    }

    @Test("A missing response throws the HTTPError")
    func noAnswer() async throws {
        let transport = MockTransport(.failure(.networkError(NetworkFailure(.connectionRefused))))
        await #expect(throws: OAuth2Error.self) { try await oauth(transport).clientCredentials() }
    }

    @Test("A provider with client credentials requests its first token once for all callers, and a new one when it expires")
    func providerOfItsOwn() async throws {
        let numbers = Count()
        let transport = MockTransport { _ in
            numbers.increment()
            return .json(#"{"access_token":"t\#(numbers.value)","expires_in":100}"#)
        }
        let provider = OAuth2TokenProvider(oauth(transport), grant: .clientCredentials(scopes: ["read"]), time: time)
        try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<20 { group.addTask { try await provider.token()?.value } }
            for try await value in group { #expect(value == "t1") }
        }
        #expect(try await provider.token()?.scopes == ["read"])
        time.advance(by: .seconds(90))
        #expect(try await provider.token()?.value == "t2")
        #expect(transport.requests.count == 2)
    }

    @Test("A session's provider rotates its refresh token and ends with invalid_grant")
    func rotation() async throws {
        let transport = MockTransport(
            .json(#"{"access_token":"a2","refresh_token":"r2"}"#), .json(#"{"access_token":"a3"}"#),
            .json(#"{"error":"invalid_grant"}"#, status: 400))
        let store = InMemoryTokenStore(AccessToken("a1", refreshToken: "r1"))
        let provider = OAuth2TokenProvider(oauth(transport), store: store, time: time)
        var ends = provider.sessionEnded.makeAsyncIterator()
        #expect(try await provider.token(replacing: AccessToken("a1"))?.value == "a2")
        #expect(try await provider.token(replacing: AccessToken("a2"))?.refreshToken == "r2")
        await #expect(throws: TokenProviderError.sessionEnded(SessionEndedError())) {
            try await provider.token(replacing: AccessToken("a3"))
        }
        #expect(await ends.next()?.cause as? OAuth2Error == .refused(OAuth2Refusal(.invalidGrant)))
        #expect(try await store.load() == nil)
        #expect(transport.requests.map { body($0)?.split(separator: "=").last } == ["r1", "r2", "r2"])
    }

    @Test("A provider with client credentials has no session: an invalid_grant is only thrown to the callers")
    func noSession() async throws {
        let transport = MockTransport { _ in .json(#"{"error":"invalid_grant"}"#, status: 400) }
        let provider = OAuth2TokenProvider(oauth(transport), grant: .clientCredentials(), time: time) { _ in Issue.record("told") }
        await #expect(throws: TokenProviderError.refreshFailed(Down())) { try await provider.token() }
        await #expect(throws: TokenProviderError.refreshFailed(Down())) { try await provider.token() }
    }

    @Test("Neither the client nor its errors show secrets")
    func secrets() {
        let client = oauth(MockTransport())
        var text = "\(client)"
        dump(client, to: &text)
        #expect(!text.contains("s3cret"))
    }

    @Test("A request to the token endpoint is sent once, regardless of the client's retries")
    func neverRetried() async throws {
        let transport = MockTransport { _ in .status(503) }
        let http = HTTPClient(
            transport: transport, interceptors: [IdempotencyKeyInterceptor(), RetryInterceptor(.standard, time: ManualTime())])
        let client = OAuth2Client(id: "app", tokenEndpoint: URL(string: "https://auth.example/token")!, http: http)
        await #expect(throws: (any Error).self) { try await client.refresh(AccessToken("a", refreshToken: "r")) }
        #expect(transport.requests.count == 1)
    }

    @Test("Without a response the error is the HTTPError, a cancellation has no message, and other messages have no technical terms")
    func errors() async throws {
        let lost = MockTransport(.disconnect)
        do throws(OAuth2Error) { _ = try await oauth(lost).clientCredentials() } catch {
            #expect(error == .http(.networkError(NetworkFailure(.connectionLost))))
            #expect(error.underlying is HTTPError && error.errorDescription != nil && !error.isCancelled)
        }
        let cancelled = OAuth2Error.http(.cancelled)
        #expect(cancelled.isCancelled && cancelled.errorDescription == nil)
        let refused = OAuth2Error.refused(OAuth2Refusal(.invalidGrant, explanation: "the grant is expired"))
        #expect(refused.errorDescription == "Please sign in to continue")
        let errors: [OAuth2Error] = [
            .refused(OAuth2Refusal(.accessDenied)), .refused(OAuth2Refusal(.invalidClient)), .invalidAnswer(.ok, "it is empty"),
            .noRefreshToken, .insecureEndpoint("x"), .invalidEndpoint("x"), .invalidCallback("x"),
        ]
        for error in errors {
            #expect(error.errorDescription?.contains("OAuth") == false && error.errorDescription?.contains("x ") == false)
        }
    }

    @Test("A refresh without a network is a network error for calls and not a sign-out")
    func offlineRefresh() async throws {
        let provider = OAuth2TokenProvider(
            oauth(MockTransport(.disconnect)), store: InMemoryTokenStore(AccessToken("old", refreshToken: "r")))
        let client = HTTPClient(
            baseURL: URL(string: "https://api.example"), transport: MockTransport { _ in .status(401) },
            interceptors: [AuthInterceptor(provider)], time: time)
        let error = await #expect(throws: HTTPError.self) { try await client.send(Request<EmptyResponse>.get("x")) }
        #expect(error?.underlying as? HTTPError == .networkError(NetworkFailure(.connectionLost)))
        #expect(error.map { HTTPErrorMapper().map($0) } == .networkError)
    }

    @Test("The provider uses the clock given to the OAuth 2 client, regardless of the client that requests a token")
    func clientsTime() async throws {
        let oauth = OAuth2Client(
            id: "birds", tokenEndpoint: endpoint, http: HTTPClient(transport: MockTransport { _ in .json(#"{"access_token":"new"}"#) }),
            time: time)
        let provider = OAuth2TokenProvider(
            oauth, store: InMemoryTokenStore(AccessToken("kept", refreshToken: "r", expiry: time.now.addingTimeInterval(100))))
        let transport = MockTransport { _ in .json("{}") }
        let client = HTTPClient(
            baseURL: URL(string: "https://api.example"), transport: transport, interceptors: [AuthInterceptor(provider)],
            time: ManualTime(now: time.now.addingTimeInterval(1_000_000)))
        for _ in 0..<2 { try await client.send(Request<EmptyResponse>.get("x")) }
        #expect(transport.requests.allSatisfy { $0.headers[.authorization] == "Bearer kept" })
    }

    @Test("Without its own clock, the provider uses that of its client, and then that of the client that requests a token")
    func inheritedTime() async throws {
        let app = ManualTime(now: time.now.addingTimeInterval(1_000_000))
        let transport = MockTransport { _ in .json(#"{"access_token":"new","expires_in":60}"#) }
        let store = InMemoryTokenStore(AccessToken("old", refreshToken: "r", expiry: time.now.addingTimeInterval(31)))
        let provider = OAuth2TokenProvider(oauth(transport), store: store)
        #expect(try await provider.token()?.value == "old")
        time.advance(by: .seconds(2))
        #expect(try await provider.token()?.value == "new")
        let seen = Recorder<String>()
        let client = HTTPClient(
            baseURL: URL(string: "https://api.example"),
            transport: MockTransport { request in
                seen.append(request.headers[.authorization] ?? "")
                return .json("{}")
            }, interceptors: [AuthInterceptor(provider)], time: app)
        try await store.save(AccessToken("kept", refreshToken: "r", expiry: app.now.addingTimeInterval(31)))
        try await client.send(Request<EmptyResponse>.get("x"))
        app.advance(by: .seconds(2))
        try await client.send(Request<EmptyResponse>.get("x"))
        #expect(seen.values == ["Bearer kept", "Bearer new"])
    }
}
