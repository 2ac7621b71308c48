import MartletAuth
import MartletClient
import MartletEssentials
import MartletHTTP
import MartletSystem
import MartletTesting
import TestSupport
import Testing

@testable import MartletWebSocket

@Suite("Opening a WebSocket", .timeLimit(.minutes(5)))
struct WebSocketOpeningTests {
    @Test("The handshake is a GET with the client's base URL, the fields of RFC 6455 and the response of the server")
    func handshake() async throws {
        let bench = SocketBench { _, _ in .accept(protocol: "chat.v2", ["X-Room": "7"]) }
        let socket = try await bench.client().webSocket(.get("room"), protocols: ["chat.v2", "chat.v1"], options: bench.options())
        let request = bench.transport.requests.values[0]
        #expect(request.method == .get && request.url.absoluteString == "https://chat.example/v1/room" && request.body == nil)
        #expect(request.headers["Sec-WebSocket-Version"] == "13" && request.headers["Sec-WebSocket-Protocol"] == "chat.v2, chat.v1")
        #expect(socket.subprotocol == "chat.v2" && socket.response.status == 101 && socket.response.headers["X-Room"] == "7")
    }

    @Test("A 401 is answered with a new token once, and each attempt has a key of its own")
    func refresh() async throws {
        let bench = SocketBench { _, request in request.headers[.authorization] == "Bearer new" ? .accept() : .status(401) }
        let auth = AuthInterceptor(token: { AccessToken("old") }, replacing: { _ in AccessToken("new") })
        let socket = try await bench.client(auth).webSocket(.get("room"), options: bench.options())
        let keys = bench.transport.requests.values.compactMap { $0.headers["Sec-WebSocket-Key"] }
        #expect(keys.count == 2 && Set(keys).count == 2 && bench.transport.connections.count == 1)
        await socket.close()
    }

    @Test("A redirect is followed, with a key of its own, and https stays https")
    func redirect() async throws {
        let bench = SocketBench { number, _ in number == 1 ? .status(307, [.location: "/v2/room"]) : .accept() }
        let socket = try await bench.client().webSocket(.get("room"), options: bench.options())
        let requests = bench.transport.requests.values
        #expect(requests.map(\.url.absoluteString) == ["https://chat.example/v1/room", "https://chat.example/v2/room"])
        #expect(Set(requests.map { $0.headers["Sec-WebSocket-Key"] }).count == 2)
        await socket.close()
    }

    @Test("A redirect to another origin does not get the subprotocols, which may be tokens, unless the app calls them harmless")
    func redirectedProtocols() async throws {
        let other = SocketBench { number, _ in number == 1 ? .status(307, [.location: "https://evil.example/room"]) : .accept() }
        let error = await #expect(throws: HTTPError.self) {
            _ = try await other.client().webSocket(.get("room"), protocols: ["bearer", "s3cr3t"], options: other.options())
        }
        guard case .redirectFailed = error else { throw Unexpected() }
        #expect("\(error as HTTPError?)".contains("Sec-WebSocket-Protocol") && other.transport.requests.count == 1)

        // A foreign server has also chosen a target at the first origin.
        let back = SocketBench { number, _ in
            number < 3 ? .status(307, [.location: number == 1 ? "https://evil.example/" : "https://chat.example/reset"]) : .accept()
        }
        let client = back.client().with { $0.configuration.harmlessFields = ["Sec-WebSocket-Protocol"] }
        await #expect(throws: HTTPError.self) { _ = try await back.client().webSocket(.get("room"), protocols: ["bearer", "s3cr3t"]) }
        #expect(back.transport.requests.count == 1)
        _ = try await client.webSocket(.get("room"), protocols: ["chat"], options: back.options())
        #expect(back.transport.requests.values.last?.headers["Sec-WebSocket-Protocol"] == "chat")
    }

    @Test("Without subprotocols, a redirect to another origin is followed, and gets none of the app's fields")
    func redirectedPlain() async throws {
        let bench = SocketBench { number, _ in number == 1 ? .status(307, [.location: "https://other.example/room"]) : .accept() }
        let socket = try await bench.client().webSocket(.get("room", headers: ["X-Key": "s3cr3t"]), options: bench.options())
        let last = try #require(bench.transport.requests.values.last)
        #expect(last.url.host == "other.example" && !last.headers.contains("X-Key") && last.headers.contains("Sec-WebSocket-Key"))
        await socket.close()
    }

    @Test("A refusal is .statusCode with the response, also a 200", arguments: [403, 426, 200] as [HTTPStatus])
    func refusal(_ status: HTTPStatus) async throws {
        let bench = SocketBench { _, _ in .status(status, ["X-Why": "full"], "no room") }
        let error = await #expect(throws: HTTPError.self) {
            _ = try await bench.client().webSocket(.get("room"), options: bench.options())
        }
        guard case .statusCode(let response) = error else { throw Unexpected() }
        #expect(response.status == status && response.headers["X-Why"] == "full" && response.body == Data("no room".utf8))
        #expect(bench.transport.calls?.runningCount == 0)
    }

    @Test(
        "A 101 that violates RFC 6455 is .invalidResponse with the request, and the connection is closed",
        arguments: [
            (.accept(["Sec-WebSocket-Accept": "d3Jvbmc="]), "does not match"),
            (.accept(without: "Sec-WebSocket-Accept"), "no Sec-WebSocket"),
            (.accept(without: "Upgrade"), "no Upgrade"), (.accept(["Upgrade": "h2c"]), "h2c"), (.accept(without: "Connection"), "no Conn"),
            (.accept(protocol: "other"), "other"), (.accept(["Sec-WebSocket-Extensions": "x"]), "Extensions"),
        ] as [(SocketTransport.Answer, String)])
    func violation(_ answer: SocketTransport.Answer, _ words: String) async throws {
        let bench = SocketBench { _, _ in answer }
        let error = await #expect(throws: HTTPError.self) {
            _ = try await bench.client().webSocket(.get("room"), protocols: ["chat"], options: bench.options())
        }
        guard case .invalidResponse = error else { throw Unexpected() }
        #expect("\(try #require(error))".contains(words) && error?.request?.url.path == "/v1/room")
        #expect(bench.transport.connections.values[0].isClosed && bench.transport.calls?.runningCount == 0)
        #expect(bench.log.ends.count == 2)
    }

    @Test("A transport that opens no WebSocket connections is named as the reason")
    func unableTransport() async throws {
        let bench = SocketBench { _, _ in .bare101 }
        let error = await #expect(throws: HTTPError.self) { _ = try await bench.client().webSocket(.get("room")) }
        #expect("\(try #require(error))".contains("opens no WebSocket connections"))
    }

    @Test("Another method, a malformed subprotocol and one that is there twice are refused before anything is sent")
    func invalidRequest() async throws {
        let bench = SocketBench(), client = bench.client()
        for (request, protocols) in [(Request<Data>.post("room"), []), (.get("room"), ["a b"]), (.get("room"), ["a", "a"])] {
            let error = await #expect(throws: HTTPError.self) { _ = try await client.webSocket(request, protocols: protocols) }
            guard case .invalidRequest = error else { throw Unexpected() }
        }
        #expect(bench.transport.requests.count == 0 && bench.transport.calls?.runningCount == 0)
    }

    @Test("ws and wss mean http and https, in the URL of the request and in base URLs, and the client's fields are sent")
    func schemes() async throws {
        let bench = SocketBench(), url = try #require(URL(string: "WSS://chat.example/a"))
        var client = bench.client()
        _ = try await client.webSocket(.get(url: url))
        client = bench.client(HeadersInterceptor(["X-App": "1"]), base: "wss://chat.example/v1/")
        _ = try await client.webSocket(.get("b"))
        client = bench.client(AuthInterceptor(AccessToken("t")), base: "ws://localhost:8080")
        _ = try await client.webSocket(.get("c"))
        let requests = bench.transport.requests.values
        #expect(
            requests.map(\.url.absoluteString) == ["https://chat.example/a", "https://chat.example/v1/b", "http://localhost:8080/c"])
        #expect(requests[1].headers["X-App"] == "1" && requests[2].headers[.authorization] == "Bearer t")
    }

    @Test("The deadline of the call covers the handshake and not the open connection")
    func deadline() async throws {
        let slow = SocketBench { _, _ in .silence }
        let options = slow.options { $0.call.timeout = .seconds(5) }
        let opening = Task { try await slow.client().webSocket(.get("room"), options: options) }
        try await slow.time.waitForTimers()
        slow.time.advance(by: .seconds(5))
        let error = await #expect(throws: HTTPError.self) { _ = try await opening.value }
        guard case .timeout = error else { throw Unexpected() }

        let bench = SocketBench()
        let (socket, server) = try await bench.open(options)
        bench.time.advance(by: .seconds(3600))
        server.send("late")
        var messages = socket.messages.makeAsyncIterator()
        #expect(try await messages.next() == "late" && bench.time.timerCount == 0)
    }

    @Test("Fields of the handshake can't be set, and an invalid subprotocol is not quoted, because it may be a token")
    func handshakeFields() async throws {
        let bench = SocketBench()
        for name in ["Sec-WebSocket-Protocol", "sec-websocket-key"] as [HTTPFieldName] {
            let error = await #expect(throws: HTTPError.self) {
                _ = try await bench.client().webSocket(.get("room", headers: [name: "a"]))
            }
            #expect(error == .invalidRequest("") && "\(error as HTTPError?)".contains("`protocols:`"))
        }
        let error = await #expect(throws: HTTPError.self) {
            _ = try await bench.client().webSocket(.get("room"), protocols: ["chat", "s3cr3t=="])
        }
        #expect(error == .invalidRequest("") && !"\(error as HTTPError?)".contains("s3cr3t"))
        #expect(bench.transport.requests.count == 0)
    }

    @Test("Static members of Request open sockets, channels and reconnecting sockets")
    func staticMembers() async throws {
        let bench = SocketBench()
        let client = bench.client()
        _ = try await client.webSocket(.prices, options: bench.options())
        _ = try await client.webSocket(.prices, receiving: Int.self, sending: Int.self, options: bench.options())
        _ = client.reconnectingWebSocket(.prices, options: bench.options())
        #expect(bench.transport.requests.values.map(\.url.path) == ["/v1/prices", "/v1/prices"])
    }

    @Test("Cancelling the task while it opens throws .cancelled and ends the call")
    func cancelled() async throws {
        let bench = SocketBench { _, _ in .silence }
        let task = Task { try await bench.client().webSocket(.get("room"), options: bench.options()) }
        _ = try await bench.transport.requests.first(1)
        task.cancel()
        await #expect(throws: HTTPError.cancelled) { _ = try await task.value }
        await bench.log.wait(for: "failed and ended: cancelled")
        #expect(bench.transport.calls?.runningCount == 0)
    }

    @Test("A connection that an error of an interceptor makes useless is closed, although the error keeps the request")
    func interceptorError() async throws {
        struct Picky: Interceptor {
            func intercept(_ request: HTTPRequest, next: Next) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
                let response = try await next(request)
                throw .invalidResponse(Explanation("no", context: ErrorContext(request: response.metadata.request, stage: .exchange)))
            }
        }
        let bench = SocketBench()
        let error = await #expect(throws: HTTPError.self) { _ = try await bench.client(Picky()).webSocket(.get("room")) }
        #expect(bench.transport.connections.values[0].isClosed && error?.request != nil)
    }

    @Test("A connection is a call until it ends: cancelAll closes it with 1001, and drain waits for it")
    func calls() async throws {
        let bench = SocketBench()
        let (socket, server) = try await bench.open()
        let calls = try #require(bench.transport.calls)
        #expect(calls.runningCount == 1)
        calls.cancelAll()
        #expect(await server.wait(for: "close") == "close 1001 ")
        await #expect(throws: WebSocketError.failed(.cancelled)) { _ = try await socket.all() }
        #expect(calls.runningCount == 0)

        let second = try await bench.client().webSocket(.get("room"), options: bench.options())
        let summary = Task { await calls.drain(within: .seconds(30), time: bench.time) }
        await eventually { calls.isDraining }
        await #expect(throws: HTTPError.draining) { _ = try await bench.client().webSocket(.get("room")) }
        await second.close()
        #expect(await summary.value == DrainSummary(finished: 1))
    }

    @Test("Observers see one call, with its messages, up to the end of the connection")
    func observed() async throws {
        let bench = SocketBench()
        let (socket, server) = try await bench.open()
        try await socket.send("hello")
        server.send(.data(Data([1, 2])))
        var messages = socket.messages.makeAsyncIterator()
        _ = try await messages.next()
        #expect(bench.log.ends == ["1 started GET /v1/room"])
        await socket.close()
        #expect(bench.log.ends == ["1 started GET /v1/room", "1 ended: 101"])
        #expect(bench.log.lines.filter { $0.contains("sent") || $0.contains("received") } == ["1 sent 5", "1 received 2"])
    }
}

struct Unexpected: Error {}

extension Request where Response == Int {
    fileprivate static var prices: Self { .get("prices") }
}
