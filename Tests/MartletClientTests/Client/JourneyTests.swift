import Foundation
import MartletClient
import MartletTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct JourneyTests {
    struct User: Codable, Sendable, Equatable { let id: Int }
    let base = URL(string: "https://api.example/v1?tenant=t")!

    @Test(
        "A path is appended to the base URL, whose path and query are kept",
        arguments: [
            ("https://h.example", "users", "https://h.example/users"), ("https://h.example/", "/users", "https://h.example/users"),
            ("https://h.example/v1", "users", "https://h.example/v1/users"),
            ("https://h.example/v1/", "/users/", "https://h.example/v1/users/"),
            ("https://h.example/v1?k=1", "users", "https://h.example/v1/users?k=1"),
            ("https://h.example/v1?k=1", "users?a=2", "https://h.example/v1/users?k=1&a=2"),
            ("https://h.example/v1/", "", "https://h.example/v1/"), ("https://h.example/v1", "?a=1", "https://h.example/v1?a=1"),
            ("http://127.0.0.1:8080/a%20b/", "c", "http://127.0.0.1:8080/a%20b/c"),
        ] as [(String, Path, String)])
    func joining(base: String, path: Path, url: String) throws {
        #expect(try Request<Data>.get(path).httpRequest(baseURL: URL(string: base)).url.absoluteString == url)
    }

    @Test("The request's query follows those of the base URL and the path, and joins that of a full URL")
    func queries() throws {
        let request = Request<Data>.get("users?a=1", query: ["b": 2])
        #expect(try request.httpRequest(baseURL: base).url.absoluteString == "https://api.example/v1/users?tenant=t&a=1&b=2")
        var full = Request<Data>.get(url: try #require(URL(string: "https://h.example/x?a=1#f")))
        full.query = ["b": 2]
        #expect(try full.httpRequest().url.absoluteString == "https://h.example/x?a=1&b=2#f")
    }

    @Test("Default fields are added, and the request's own fields take precedence")
    func defaults() async throws {
        let transport = MockTransport { _ in .json(#"{"id":1}"#) }
        let configuration = HTTPClient.Configuration(headers: ["X-App": "1", "Accept": "text/html"])
        let client = HTTPClient(baseURL: base, transport: transport, configuration: configuration)

        _ = try await client.send(Request<User>.post("x", headers: ["x-app": "2", "Content-Type": "a/b"], body: .json(User(id: 1))))
        _ = try await client.send(Request<User>.get("x"))

        #expect(transport.requests[0].headers == ["x-app": "2", "Content-Type": "a/b", "Accept": "application/json"])
        #expect(transport.requests[1].headers == ["Accept": "application/json", "X-App": "1"])
    }

    @Test("The context contains the path template, the base origin and the number of the exchange")
    func context() async throws {
        let transport = MockTransport(.status(302, headers: [.location: "/elsewhere"]), .json(#"{"id":1}"#))
        let client = HTTPClient(baseURL: base, transport: transport)

        let response = try await client.response(for: Request<User>.get("users/\(7)"))

        #expect(transport.requests.map(\.context.attempt) == [1, 2])
        #expect(transport.requests[0].context.baseOrigin == "https://api.example")
        #expect(transport.requests[0].context.pathTemplate == "users/{}")
        #expect(response.metadata.redirects.map(\.absoluteString) == ["https://api.example/elsewhere"])
        #expect(response.metadata.url?.absoluteString == "https://api.example/elsewhere")
    }

    @Test("An app's own value in the context reaches the transport")
    func ownContext() async throws {
        enum Feature: RequestContextKey { static let defaultValue = "none" }
        let transport = MockTransport { _ in .status(200) }
        var request = Request<Data>.get("x")
        request.options.context[Feature.self] = "checkout"

        _ = try await HTTPClient(baseURL: base, transport: transport).send(request)

        #expect(transport.requests.first?.context[Feature.self] == "checkout")
    }

    @Test("Each hop of a redirect passes the interceptors, and credentials stay on their origin")
    func redirects() async throws {
        struct Mark: Interceptor {
            func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
                var request = request
                request.headers["X-Hops"] = (request.headers["X-Hops"] ?? "") + "h"
                return try await next(request)
            }
        }
        let transport = MockTransport(
            .status(307, headers: [.location: "https://other.example/a"]), .status(303, headers: [.location: "b"]), .json(#"{"id":1}"#))
        let client = HTTPClient(baseURL: base, transport: transport, interceptors: [Mark()])

        _ = try await client.send(
            Request<User>.post("x", headers: [.authorization: "Bearer t"], body: .json(User(id: 2))))

        #expect(
            transport.requests.map(\.url.absoluteString) == [
                "https://api.example/v1/x?tenant=t", "https://other.example/a", "https://other.example/b",
            ])
        #expect(transport.requests.map(\.method) == [.post, .post, .get])
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer t", nil, nil])
        #expect(transport.requests.map { $0.headers["X-Hops"] } == ["h", "h", "h"])
    }

    @Test("An interceptor knows the origins that have redirected a request, also back to the client's own")
    func redirectedBack() async throws {
        struct Signing: Interceptor {
            func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
                let context = request.context
                guard let base = context.baseOrigin, ([Origin(request.url)] + context.passedOrigins).allSatisfy({ $0 == base }) else {
                    return try await next(request)
                }
                var request = request
                request.headers["X-Signature"] = "s"
                return try await next(request)
            }
        }
        let transport = MockTransport(
            .status(302, headers: [.location: "y"]), .status(302, headers: [.location: "https://other.example/a"]),
            .status(302, headers: [.location: "https://api.example/v1/pay"]), .status(200))
        _ = try await HTTPClient(baseURL: base, transport: transport, interceptors: [Signing()]).send(Request<Data>.get("x"))
        #expect(transport.requests.map { $0.headers.contains("X-Signature") } == [true, true, false, false])
    }

    @Test("A refused redirect fails with the request that received it, and a request may refuse all redirects")
    func redirectErrors() async throws {
        let endless = HTTPClient(baseURL: base, transport: MockTransport { _ in .status(302, headers: [.location: "/again"]) })
        guard case .failure(let error) = await endless.result(of: Request<Data>.get("x")) else { Issue.record("ended"); return }
        #expect(error == .redirectFailed("more than 20 redirects"))
        #expect(error.stage == .redirect && error.attempts == 21)

        var unfollowed = Request<Data>.get("x")
        unfollowed.options.redirects = .none
        unfollowed.validation = [302]
        #expect(try await endless.response(for: unfollowed).headers[.location] == "/again")
    }

    @Test("A body over the call's limit is refused, buffered or streamed")
    func limits() async {
        var request = Request<Data>.get("x")
        request.options.limits = ResponseLimits(bodyBytes: 3)
        let client = HTTPClient(baseURL: base, transport: MockTransport { _ in .data(Data("four".utf8), contentType: "text/plain") })
        guard case .failure(.responseTooLarge(let failure)) = await client.result(of: request) else { Issue.record("taken"); return }
        #expect(failure.limit == 3)
    }

    @Test("An empty body throws .noData where a value is expected, and an Optional is nil for an empty body and for null")
    func noContent() async throws {
        let empty = HTTPClient(baseURL: base, transport: MockTransport { _ in .status(200) })
        guard case .failure(let error) = await empty.result(of: Request<User>.get("x")), case .noData = error else {
            Issue.record("decoded")
            return
        }
        #expect(error.status == 200 && HTTPError.noData.status == nil)
        #expect(try await empty.send(Request<User?>.get("x")) == nil)
        #expect(try await empty.send(Request<String?>.get("x")) == nil)
        let null = HTTPClient(baseURL: base, transport: MockTransport { _ in .json("null") })
        #expect(try await null.send(Request<User?>.get("x")) == nil)
    }

    @Test("The status of .noData is that of the response without a body, not that of the last attempt")
    func noContentStatus() async throws {
        struct Stored: Interceptor {
            func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
                var response = try await next(request)
                response.status = .ok
                return response
            }
        }
        let client = HTTPClient(baseURL: base, transport: MockTransport { _ in .status(500) }, interceptors: [Stored()])
        let own = Request<Data>.get("x").map { _ -> Int in throw HTTPError.noData("nothing for the app") }
        for result in [await client.result(of: Request<User>.get("x")).map { _ in }, await client.result(of: own).map { _ in }] {
            guard case .failure(let error) = result else { Issue.record("decoded"); return }
            #expect(error == .noData && error.trace.attempts.last?.outcome == .status(500))
            #expect(error.status == 200 && error.causingStatus == 200)
        }
    }

    @Test("Text is read in its charset, and text that is invalid in it is an error")
    func text() async throws {
        let latin = HTTPClient(
            baseURL: base, transport: MockTransport { _ in .data(Data([0xE9]), contentType: "text/plain; charset=ISO-8859-1") })
        #expect(try await latin.send(Request<String>.get("x")) == "é")
        let broken = HTTPClient(baseURL: base, transport: MockTransport { _ in .data(Data([0xE9]), contentType: "text/plain") })
        guard case .failure(.decodingFailed) = await broken.result(of: Request<String>.get("x")) else { Issue.record("read"); return }
    }

    @Test("An error of a mapped response is kept as the cause")
    func mapped() async {
        struct NotAnImage: Error {}
        let client = HTTPClient(baseURL: base, transport: MockTransport { _ in .json("{}") })
        let request = Request<Data>.get("x").map { _ -> Int in throw NotAnImage() }
        guard case .failure(let error) = await client.result(of: request) else { Issue.record("mapped"); return }
        guard case .decodingFailed(let failure) = error else { Issue.record("\(error)"); return }
        #expect(failure.type == "Int" && error.underlying is NotAnImage && error.response?.status == 200)
    }

    @Test("A stream is returned with its head, and a refused status throws with the start of the body")
    func streams() async throws {
        let client = HTTPClient(
            baseURL: base, transport: MockTransport(.data(Data("abc".utf8), contentType: "a/b"), .json(#"{"why":"no"}"#, status: 410)))
        var bytes = Data()
        for try await chunk in try await client.stream(Request<Data>.get("x")).body { bytes.append(chunk) }
        #expect(bytes == Data("abc".utf8))
        await #expect(
            throws: HTTPError.statusCode(
                HTTPResponse(status: 410, headers: [.contentType: "application/json"], body: Data(#"{"why":"no"}"#.utf8)))
        ) {
            try await client.stream(Request<Data>.get("x"))
        }
    }

    @Test("A cancelled task sends nothing")
    func cancelledBefore() async {
        let transport = MockTransport { _ in .status(200) }
        let client = HTTPClient(baseURL: base, transport: transport)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await client.result(of: Request<Data>.get("x"))
        }
        guard case .failure(.cancelled) = await task.value else { Issue.record("sent"); return }
        #expect(transport.requests.isEmpty)
    }
}
