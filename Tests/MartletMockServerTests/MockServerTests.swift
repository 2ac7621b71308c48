import Foundation
import Martlet
import MartletTesting
import Testing

/// Tests what a server receives, the order of its responses, and how it stops.
@Suite(.timeLimit(.minutes(5))) struct MockServerTests {
    func get(_ path: String, _ fields: String = "") -> String { "GET \(path) HTTP/1.1\r\nHost: x\r\n\(fields)\r\n" }

    @Test("Replies are used in order on any connection, and connections are kept alive")
    func order() async throws {
        let server = try await MockServer.start()
        server.enqueue(.json(#"{"id":1}"#), .status(503, headers: [.retryAfter: "2"]), .text("third"))
        let first = try RawClient(port: server.port)
        let second = try RawClient(port: server.port)

        try await first.send(get("/users/1?page=2"))
        let one = try await first.readResponse()
        try await second.send(get("/2"))
        let two = try await second.readResponse()
        try await first.send(get("/3"))
        let three = try await first.readResponse()

        #expect(one == "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 8\r\n\r\n{\"id\":1}")
        #expect(two == "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 2\r\nContent-Length: 0\r\n\r\n")
        #expect(three.hasSuffix("\r\n\r\nthird"))
        #expect(server.requests.map(\.target) == ["/users/1?page=2", "/2", "/3"])
        #expect(server.requests.map(\.query.encoded) == ["page=2", nil, nil])
        #expect(server.requests[0].connection == server.requests[2].connection)
        #expect(server.requests[0].connection != server.requests[1].connection)
        #expect(server.connectionCount == 2 && server.openConnectionCount == 2)
        let total = one.utf8.count + two.utf8.count + three.utf8.count
        // The client may read the response before the server counts it.
        try await server.waitForBytesWritten(total)
        #expect(server.bytesWritten == total)
        #expect(server.url.absoluteString == "http://127.0.0.1:\(server.port)/")
        await server.stop()
        #expect(server.openConnectionCount == 0)
    }

    @Test("Method, fields, body, trailers and the bytes of the head are recorded as received")
    func recorded() async throws {
        let server = try await MockServer.start { _ in .status(204) }
        let client = try RawClient(port: server.port)
        let head = "PATCH /p HTTP/1.1\r\nhost: x\r\nX-Key: 1\r\nX-Key: 2\r\nTransfer-Encoding: chunked\r\n\r\n"

        try await client.send(head + "5\r\nhello\r\n6\r\n world\r\n0\r\nX-Sum: 9\r\n\r\n")
        #expect(try await client.read(through: "\r\n\r\n") == "HTTP/1.1 204 No Content\r\n\r\n")

        let request = try #require(server.requests.first)
        #expect(request.method == .patch && request.version == .http11)
        #expect(request.headers.values(for: "x-key") == ["1", "2"])
        #expect(request.body == Data("hello world".utf8))
        #expect(request.trailers["X-Sum"] == "9")
        #expect(request.receivedHead == Data(head.utf8))
        await server.stop()
    }

    @Test("A handler responds to each request; an error it throws and a missing reply become a 500 that says so")
    func handler() async throws {
        struct Odd: Error {}
        let server = try await MockServer.start { request in
            if request.path == "/odd" { throw Odd() }
            return .text("\(request.method) \(request.path) \(String(decoding: request.body, as: UTF8.self))")
        }
        let silent = try await MockServer.start()
        let client = try RawClient(port: server.port)

        server.enqueue(.text("scripted"))
        try await client.send(get("/first"))
        #expect(try await client.readResponse().hasSuffix("scripted"))
        try await client.send("POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi")
        #expect(try await client.readResponse().hasSuffix("\r\n\r\nPOST /x hi"))
        try await client.send(get("/odd"))
        let odd = try await client.readResponse()
        #expect(odd.hasPrefix("HTTP/1.1 500 ") && odd.contains("the handler threw Odd()"))
        let other = try RawClient(port: silent.port)
        try await other.send(get("/nothing"))
        let nothing = try await other.readResponse()
        #expect(nothing.hasPrefix("HTTP/1.1 500 ") && nothing.contains("no reply is scripted for GET /nothing"))
        await server.stop()
        await silent.stop()
    }

    @Test("Pipelined requests get their responses in order (RFC 9112 §9.3.2)", arguments: [false, true])
    func pipelined(withHandler: Bool) async throws {
        let server = if withHandler { try await MockServer.start { .text($0.path) } } else { try await MockServer.start() }
        if !withHandler { server.enqueue((0..<500).map { .text("/\($0)") }) }
        let client = try RawClient(port: server.port)

        try await client.send((0..<500).map { get("/\($0)") }.joined())
        for index in 0..<500 { #expect(try await client.readResponse().hasSuffix("\r\n\r\n/\(index)")) }

        #expect(server.requests.map(\.path) == (0..<500).map { "/\($0)" } && server.connectionCount == 1)
        await server.stop()
    }

    @Test("A client that waits for 100 Continue receives it (RFC 9110 §10.1.1)")
    func expectContinue() async throws {
        let server = try await MockServer.start()
        server.enqueue(.text("done"))
        let client = try RawClient(port: server.port)

        try await client.send("PUT / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
        #expect(try await client.read(through: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
        try await client.send("hi")

        #expect(try await client.readResponse().hasSuffix("done"))
        #expect(server.requests.first?.body == Data("hi".utf8))
        // A client that has begun to send the body needs no 100.
        server.enqueue(.text("again"))
        try await client.send("PUT / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nhi")
        #expect(try await client.readResponse().hasPrefix("HTTP/1.1 200 "))
        await server.stop()
    }

    @Test("A reply before the body leaves the body unread and closes the connection")
    func beforeBody() async throws {
        let server = try await MockServer.start()
        server.enqueue(.status(417).beforeBody())
        let client = try RawClient(port: server.port)

        try await client.send("PUT /big HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 100000000\r\n\r\n")
        let answer = try await client.readToEnd()

        #expect(answer.hasPrefix("HTTP/1.1 417 ") && answer.contains("Connection: close\r\n"))
        #expect(server.requests.map(\.path) == ["/big"])
        await server.stop()
    }

    @Test("A connection is closed if the client or the reply requests it, and with HTTP/1.0 unless it is to be kept alive")
    func closing() async throws {
        let server = try await MockServer.start { _ in .text("x") }
        for request in [get("/", "Connection: close\r\n"), "GET / HTTP/1.0\r\n\r\n"] {
            let client = try RawClient(port: server.port)
            try await client.send(request)
            let answer = try await client.readToEnd()
            #expect(answer.contains("\r\nConnection: close\r\n") && answer.hasSuffix("\r\n\r\nx"))
        }
        server.enqueue(.text("y").closingConnection(), .text("z", headers: [.connection: "close"]))
        for _ in 0..<2 {
            let client = try RawClient(port: server.port)
            try await client.send(get("/"))
            #expect(try await client.readToEnd().components(separatedBy: "Connection: close").count == 2)
        }
        let old = try RawClient(port: server.port)
        for _ in 0..<2 {
            try await old.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            #expect(try await old.readResponse().contains("\r\nConnection: keep-alive\r\n"))
        }
        await server.stop()
    }

    @Test("Requests beyond the limits or that are not HTTP are refused with an explanation, and the connection is closed")
    func limits() async throws {
        var options = MockServer.Options()
        options.headBytes = 500
        options.bodyBytes = 1000
        let server = try await MockServer.start(options: options) { _ in .status(200) }
        func answer(_ text: String) async throws -> String {
            let client = try RawClient(port: server.port)
            try await client.send(text)
            return try await client.readToEnd()
        }

        #expect(try await answer(get("/", "X: \(String(repeating: "x", count: 600))\r\n")).hasPrefix("HTTP/1.1 431 "))
        #expect(try await answer("PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 1001\r\n\r\n").hasPrefix("HTTP/1.1 413 "))
        let refused = try await answer("GET / HTTP/1.1\r\nHost: x\r\nX: 1\r\n folded\r\n\r\n")
        #expect(refused.hasPrefix("HTTP/1.1 400 ") && refused.contains("MockServer: a field line is folded"))
        // The body is still being sent when the response arrives. A reset must not lose the response.
        let upload = "PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 4000000\r\n\r\n" + String(repeating: "x", count: 4_000_000)
        #expect(try await answer(upload).hasPrefix("HTTP/1.1 413 "))
        #expect(server.requests.isEmpty)
        await server.stop()
    }

    @Test("A client that disconnects while the handler runs cancels it")
    func clientGoes() async throws {
        let started = Recorder<Bool>(), cancelled = Recorder<Bool>()
        let server = try await MockServer.start { _ in
            started.append(true)
            // This time never advances: only a cancellation ends the sleep.
            do { try await ManualTime(autoAdvances: false).sleep(for: .seconds(1)) } catch { cancelled.append(Task.isCancelled) }
            return .status(200)
        }
        var client: RawClient? = try RawClient(port: server.port)
        try await client?.send(get("/"))
        _ = try await started.value(at: 0)
        client = nil

        #expect(try await cancelled.value(at: 0))
        try await server.waitForOpenConnections(atMost: 0)
        await server.stop()
    }

    @Test("Stopping closes the port and all connections, cancels handlers, and can be repeated")
    func stopping() async throws {
        let started = Recorder<Int>(), ended = Recorder<Int>()
        let server = try await MockServer.start { _ in
            started.append(1)
            // This time never advances: only a cancellation ends the sleep.
            try? await ManualTime(autoAdvances: false).sleep(for: .seconds(1))
            ended.append(1)
            return .status(200)
        }
        let clients = try (0..<10).map { _ in try RawClient(port: server.port) }
        for client in clients { try await client.send(get("/")) }
        _ = try await started.first(10)

        await server.stop()
        await server.stop()

        #expect(ended.count == 10 && server.openConnectionCount == 0)
        for client in clients { #expect(try await client.readToEnd().isEmpty) }
        #expect(throws: RawClient.Failure.self) { _ = try RawClient(port: server.port) }
    }

    @Test("A server without references stops")
    func letGo() async throws {
        var server: MockServer? = try await MockServer.start { _ in .status(200) }
        let client = try RawClient(port: try #require(server?.port))
        try await client.send(get("/"))
        _ = try await client.readResponse()

        server = nil

        #expect(try await client.readToEnd().isEmpty)
    }

    @Test("A hundred concurrent servers each serve their own clients")
    func manyServers() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<100 {
                group.addTask {
                    let server = try await MockServer.start { .text("\(index)\($0.path)") }
                    let client = try RawClient(port: server.port)
                    for path in ["/a", "/b"] {
                        try await client.send(get(path))
                        #expect(try await client.readResponse().hasSuffix("\r\n\r\n\(index)\(path)"))
                    }
                    #expect(server.requests.map(\.path) == ["/a", "/b"] && server.connectionCount == 1)
                    await server.stop()
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("Many concurrent connections are all served")
    func manyConnections() async throws {
        let server = try await MockServer.start { .text($0.path) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<100 {
                group.addTask {
                    let client = try RawClient(port: server.port)
                    for turn in 0..<5 {
                        try await client.send(get("/\(index)/\(turn)"))
                        #expect(try await client.readResponse().hasSuffix("\r\n\r\n/\(index)/\(turn)"))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(server.requests.count == 500 && server.connectionCount == 100)
        await server.stop()
    }
}
