import Foundation
import MartletClient
import MartletTesting
import Testing

/// Invalid input throws a typed error that names the invalid part, before any byte is sent.
@Suite(.timeLimit(.minutes(5))) struct BadInputTests {
    let transport = MockTransport { _ in .json("{}") }

    func client(_ base: String? = "https://api.example/") -> HTTPClient {
        HTTPClient(baseURL: base.flatMap { URL(string: $0) }, transport: transport)
    }

    func error(_ request: Request<Data>, base: String? = "https://api.example/") async throws -> HTTPError {
        guard case .failure(let error) = await client(base).result(of: request) else { throw Sent() }
        #expect(transport.requests.isEmpty)
        #expect(error.attempts == 0)
        return error
    }

    struct Sent: Error {}

    @Test(
        "An invalid base URL is refused with the reason",
        arguments: [
            ("ftp://api.example/", "not http or https"), ("api.example/v1", "not http or https"), ("https:///v1", "no host"),
            ("https://user:s3cret@api.example/", "user's name or password"), ("https://api.example/#top", "fragment"),
            ("file:///etc/passwd", "not http or https"),
        ])
    func base(url: String, words: String) async throws {
        let error = try await error(.get("x"), base: url)
        guard case .invalidURL(let what) = error else { Issue.record("\(error)"); return }
        #expect(what.text.contains(words))
        #expect(!"\(error)".contains("s3cret"))
    }

    @Test("The error for a path without a base URL names the path and says that the base URL may have been malformed")
    func noBase() async throws {
        let error = try await error(.get("users/1"), base: nil)
        guard case .invalidURL(let what) = error else { Issue.record("\(error)"); return }
        #expect(what.text.contains("users/1") && what.text.contains("baseURL: nil") && what.text.contains("malformed"))
    }

    @Test(
        "A full URL other than http or https is refused", arguments: ["ftp://a.example/", "mailto:a@b.example", "data:text/plain,x", "x"])
    func fullURL(url: String) async throws {
        let error = try await error(.get(url: try #require(URL(string: url))))
        guard case .invalidURL = error else { Issue.record("\(error)"); return }
    }

    @Test("The error for WebSocket names the product that opens it", arguments: ["ws://a.example/", "wss://a.example/"])
    func webSocket(url: String) async throws {
        let error = try await error(.get(url: try #require(URL(string: url))))
        guard case .invalidURL(let what) = error else { Issue.record("\(error)"); return }
        #expect(what.text == "the URL is one of WebSocket, which `webSocket(_:)` of the product MartletWebSocket opens: \(url)")
        let upgrade = try await self.error(.get("x", headers: ["Upgrade": "websocket"]))
        #expect(
            upgrade.explanation?.text
                == "Upgrade can't be set: `webSocket(_:)` of the product MartletWebSocket opens a WebSocket, and there are no other upgrades"
        )
    }

    @Test(
        "A path that would leave the base URL is refused", arguments: ["../x" as Path, "a/\("")", "https://evil.example/", "a#b", "a\nb"])
    func path(path: Path) async throws {
        let error = try await error(.get(path))
        guard case .invalidURL = error else { Issue.record("\(error)"); return }
    }

    @Test(
        "A field that could inject a line is refused with its name",
        arguments: [("X-A", "1\r\nEvil: 2"), ("X-A", "1\n2"), ("X A", "1"), ("X-A:", "1"), ("", "1"), ("X-A", "\u{0}"), ("X\r\nY", "1")])
    func fields(name: String, value: String) async throws {
        var request = Request<Data>.get("x")
        request.headers.append(HTTPFieldName(name), value)
        let error = try await error(request)
        guard case .invalidRequest(let what) = error else { Issue.record("\(error)"); return }
        #expect(what.text.contains("field") && !what.text.contains("\n"))
    }

    @Test("A method that is not a token is refused with the method", arguments: ["GE T", "", "GET\r\nX: y", "GÉT"])
    func methods(method: String) async throws {
        let error = try await error(Request<Data>(method: HTTPMethod(rawValue: method), path: "x"))
        guard case .invalidRequest(let what) = error else { Issue.record("\(error)"); return }
        #expect(what.text.contains("method") && !what.text.contains("\n"))
    }

    @Test("TRACE with a body, CONNECT, framing fields of the caller and Upgrade are refused")
    func framing() async throws {
        for request in [
            Request<Data>(method: .trace, path: "x", body: .text("b")), Request<Data>(method: .connect, path: "x"),
            .post("x", headers: ["Transfer-Encoding": "chunked"], body: .text("b")),
            .get("x", headers: ["connection": "upgrade", "upgrade": "websocket"]),
            .post("x", headers: ["Content-Length": "7"], body: .text("b")), .get("x", headers: ["Content-Length": "7"]),
        ] {
            guard case .invalidRequest = try await error(request) else { Issue.record("\(request.method)"); continue }
        }
    }

    @Test(
        "A GET or HEAD with a body is refused with the method to declare and the option, before interceptors",
        arguments: [HTTPMethod.get, .head])
    func bodies(method: HTTPMethod) async throws {
        struct Unreached: RequestModifier {
            func modify(_ request: inout HTTPRequest) { Issue.record("the interceptor was reached") }
        }
        struct NoMethod: Endpoint {
            let method: HTTPMethod
            let path: Path = "x"
            let body: RequestBody? = .json(["q": "finch"])
        }
        for options in [CallOptions(), CallOptions(allowsGETBody: method == .head)] {
            let client = HTTPClient(baseURL: URL(string: "https://api.example/"), transport: transport, interceptors: [Unreached()])
            guard case .failure(.invalidRequest(let what)) = await client.result(of: NoMethod(method: method), options: options) else {
                Issue.record("sent"); continue
            }
            #expect(what.text.contains("a \(method) request") && what.text.contains("POST"))
            #expect(what.text.contains("CallOptions.allowsGETBody") == (method == .get))
        }
        #expect(transport.requests.isEmpty)
    }

    @Test("A GET with a body is sent if its request, its endpoint or the call allows it; other methods need no permission")
    func allowedBodies() async throws {
        struct Search: Endpoint {
            let path: Path = "birds/_search"
            let body: RequestBody? = .json(["q": "finch"])
            let options = CallOptions(allowsGETBody: true)
        }
        var own = Request<Data>(method: .get, path: "x", body: .text("q"))
        _ = try await client().send(own, options: CallOptions(allowsGETBody: true))
        own.options.allowsGETBody = true
        _ = try await client().send(own)
        _ = try await client().send(Search())
        for method in [HTTPMethod.options, .delete, "QUERY", .post] {
            _ = try await client().send(Request<Data>(method: method, path: "x", body: .text("q")))
        }
        _ = try await client().send(Request<Data>(method: .get, path: "x", body: .data(Data(), contentType: "text/plain")))
        #expect(transport.requests.map(\.method) == [.get, .get, .get, .options, .delete, "QUERY", .post, .get])
    }

    @Test("A file that is missing or not a regular file is refused with its path")
    func files() async throws {
        for path in ["/nowhere/at/all.bin", "/"] {
            let error = try await error(.post("x", body: .file(URL(fileURLWithPath: path))))
            guard case .invalidRequest(let what) = error else { Issue.record("\(error)"); continue }
            #expect(what.text.contains(path))
        }
        guard case .invalidRequest = try await error(.post("x", body: .file(try #require(URL(string: "https://a.example/f"))))) else {
            Issue.record("took a web URL for a file"); return
        }
    }

    @Test("A value that can't be encoded is refused")
    func encoding() async throws {
        for request in [
            Request<Data>.post("x", body: .json(["n": Double.infinity])), .get("x", query: ["n": Double.nan]),
            .post("x", body: .form(["n": Double.nan])),
        ] {
            guard case .encodingFailed = try await error(request) else { Issue.record("\(request.method)"); continue }
        }
    }

    @Test("A request that an interceptor made invalid is refused")
    func interceptors() async {
        struct Breaker: Interceptor {
            func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
                var request = request
                request.headers["X-A"] = "1\r\nEvil: 2"
                return try await next(request)
            }
        }
        let client = HTTPClient(baseURL: URL(string: "https://api.example/"), transport: transport, interceptors: [Breaker()])
        guard case .failure(.invalidRequest) = await client.result(of: Request<Data>.get("x")) else { Issue.record("sent"); return }
        #expect(transport.requests.isEmpty)
    }
}
