import Foundation
import Martlet
import MartletTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct MockTransportTests {
    let url = URL(string: "https://api.example/x?api_key=s3cret")!

    @Test("Replies are used in the given order")
    func order() async throws {
        let transport = MockTransport(.json(#"{"a":1}"#, status: 201), .status(503, headers: [.retryAfter: "2"]), .text("hé"))
        transport.enqueue(.data(Data([1, 2]), contentType: "image/png"))

        let first = try await transport.send(HTTPRequest(url: url))
        #expect(first.status == 201 && first.body.buffered == Data(#"{"a":1}"#.utf8) && first.headers[.contentType] == "application/json")
        let second = try await transport.send(HTTPRequest(url: url))
        #expect(second.status == 503 && second.headers[.retryAfter] == "2" && second.body.buffered?.isEmpty == true)
        let third = try await transport.send(HTTPRequest(url: url))
        #expect(third.headers[.contentType] == "text/plain; charset=utf-8" && third.body.buffered == Data("hé".utf8))
        #expect(try await transport.send(HTTPRequest(url: url)).headers[.contentType] == "image/png")
    }

    @Test("Without remaining replies, a request throws an error that lists the requests without secrets")
    func exhausted() async throws {
        let transport = MockTransport(.status(200))
        _ = try await transport.send(HTTPRequest(url: url))

        let error = await #expect(throws: HTTPError.self) {
            try await transport.send(HTTPRequest(method: .post, url: URL(string: "https://api.example/pay")!))
        }

        guard case .invalidRequest(let explanation) = error else { Issue.record("\(String(describing: error))"); return }
        #expect(explanation.text.contains("1. GET https://api.example/x?api_key=") && !explanation.text.contains("s3cret"))
        #expect(explanation.text.contains("2. POST https://api.example/pay"))
    }

    @Test("A handler replies to each request, and its errors become the transport's errors")
    func handler() async throws {
        struct Odd: Error {}
        let transport = MockTransport { request in
            switch request.url.path {
            case "/timeout": throw HTTPError.timeout
            case "/cancelled": throw CancellationError()
            case "/odd": throw Odd()
            default: .text(request.method.rawValue)
            }
        }
        func send(_ path: String) async throws -> HTTPResponse<HTTPBody> {
            try await transport.send(HTTPRequest(method: .put, url: URL(string: "https://api.example" + path)!))
        }

        #expect(try await send("/").body.buffered == Data("PUT".utf8))
        await #expect(throws: HTTPError.timeout) { try await send("/timeout") }
        await #expect(throws: HTTPError.cancelled) { try await send("/cancelled") }
        await #expect(throws: HTTPError.networkError(NetworkFailure(.other))) { try await send("/odd") }
        #expect(transport.requests.map(\.url.path) == ["/", "/timeout", "/cancelled", "/odd"])
    }

    @Test("Recorded requests have bodies of every kind in memory, and streams are consumed as by a real transport")
    func recordedBodies() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data("file".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let pieces = Recorder<Int>()
        let stream = HTTPBody {
            pieces.append(0)
            return pieces.count <= 2 ? Data("s\(pieces.count)".utf8) : nil
        }
        let transport = MockTransport { _ in .status(200) }

        for body in [HTTPBody("data"), try HTTPBody(file: file), stream] {
            _ = try await transport.send(HTTPRequest(method: .post, url: url, body: body))
        }

        #expect(transport.requests.map { $0.body?.buffered } == [Data("data".utf8), Data("file".utf8), Data("s1s2".utf8)])
        await #expect(throws: HTTPError.self) { try await transport.send(HTTPRequest(method: .post, url: url, body: stream)) }
        #expect(transport.requests.count == 4)
    }

    @Test("A cancelled task sends nothing")
    func cancelledBefore() async {
        let transport = MockTransport(.status(200))
        let task = Task { [url] in
            withUnsafeCurrentTask { $0?.cancel() }
            return try await transport.send(HTTPRequest(url: url))
        }

        await #expect(throws: HTTPError.cancelled) { try await task.value }
        #expect(transport.requests.isEmpty)
    }

    @Test("A delay uses the given time source and ends when its task is cancelled")
    func delays() async throws {
        let time = ManualTime()
        let transport = MockTransport(.status(200).delayed(by: .seconds(30)), time: time)
        _ = try await transport.send(HTTPRequest(url: url))
        #expect(time.sleeps == [.seconds(30)])

        for reply in [MockReply.status(200).delayed(by: .seconds(600)), .silence, .text("x").bodyDelayed(by: .seconds(600))] {
            let slow = MockTransport(reply)
            let task = Task { [url] in try await slow.send(HTTPRequest(url: url)) }
            try await slow.waitForRequests(1)
            task.cancel()
            await #expect(throws: HTTPError.cancelled) { try await task.value }
        }
    }

    @Test("Concurrent requests each get one reply, and each is recorded")
    func concurrent() async throws {
        let transport = MockTransport(replies: (0..<100).map { .text("\($0)") })

        let bodies = try await withThrowingTaskGroup(of: Data?.self) { group in
            for _ in 0..<100 { group.addTask { [url] in try await transport.send(HTTPRequest(url: url)).body.buffered } }
            return try await group.reduce(into: Set<Data>()) { $0.insert($1 ?? Data()) }
        }

        #expect(bodies.count == 100 && transport.requests.count == 100)
    }

    func send(_ transport: MockTransport, _ method: HTTPMethod, _ path: String, _ body: String = "") async -> Result<HTTPStatus, HTTPError>
    {
        let request = HTTPRequest(method: method, url: URL(string: "https://api.example" + path)!, body: HTTPBody(body))
        do throws(HTTPError) { return .success(try await transport.send(request).status) } catch { return .failure(error) }
    }

    @Test("Stubs reply to matching requests in order with the last one repeated, or with a closure")
    func stubs() async throws {
        let transport = MockTransport(.status(100))
        transport.on(.get("/users/{id}")) { request, path in
            guard path["id"] != "9" else { throw HTTPError.timeout }
            return .status(HTTPStatus(rawValue: 200 + (Int(path["id"] ?? "") ?? 0)))
        }
        transport.on(.post("/users").json(["a": 1]), .status(503), .status(201))

        #expect(await send(transport, .get, "/users/1") == .success(100))  // a reply in order comes first
        #expect(await send(transport, .get, "/users/2") == .success(202))
        #expect(await send(transport, .get, "/users/9") == .failure(.timeout))
        for status: HTTPStatus in [503, 201, 201] { #expect(await send(transport, .post, "/users", #"{"a":1}"#) == .success(status)) }
        transport.on(.get("/users/2"), .status(404))
        #expect(await send(transport, .get, "/users/2") == .success(404))  // the latest that fits
        #expect(transport.requests(matching: .get("/users/{id}")).count == 4)
    }

    @Test("The error of a request without a match lists its differences from each stub, the nearest first, and earlier requests")
    func unexpected() async {
        let transport = MockTransport()
        transport.on(.delete("/a"), .status(200))
        transport.on(.post("/users").json(["name": "Ada"]), .status(200))

        guard case .failure(.invalidRequest(let explanation)) = await send(transport, .post, "/users?token=s3cret", #"{"name":"Bob"}"#)
        else {
            Issue.record("answered")
            return
        }

        #expect(
            explanation.text == """
                MockTransport has no stub for POST https://api.example/users?token=‹redacted›. It has:
                  POST /users json {"name":"Ada"}
                    body /name: expected "Ada", found "Bob"
                  DELETE /a
                    method: expected DELETE, found POST
                    path: expected /a, found /users
                It was sent:
                  1. POST https://api.example/users?token=‹redacted›
                """)
    }

    @Test("verify() names stubs that were not used or not completely used")
    func verify() async throws {
        let transport = MockTransport(.status(200))
        transport.on(.get("/a"), .status(503), .status(200))
        transport.on(.get("/b")) { _, _ in .status(200) }
        #expect(throws: UnusedStubsError.self) { try transport.verify() }
        for _ in 0..<2 { _ = await send(transport, .get, "/a") }
        let error = #expect(throws: UnusedStubsError.self) { try transport.verify() }
        #expect(error?.stubs == ["GET /a: 1 of 2 replies", "GET /b"])
        #expect(error?.description == "never used:\n  GET /a: 1 of 2 replies\n  GET /b")
        for path in ["/a", "/b"] { _ = await send(transport, .get, path) }
        try transport.verify()
        transport.enqueue(.status(200))
        #expect(throws: UnusedStubsError.self) { try transport.verify() }
    }
}
