internal import MartletEssentials

/// The use of connections.
enum ConnectionCases {
    static let all = [
        Case("connections.reuse", "A connection is kept alive and reused after any kind of response (RFC 9112 §9.3)", reuse),
        Case("connections.close", "A connection is not reused after a response with “Connection: close” (RFC 9112 §9.6)", close),
        Case("connections.parallel", "A slow response does not delay other requests to its origin", parallel),
        Case(
            "connections.limit", "The number of connections to an origin stays within the transport's limit, and all requests are served",
            limit),
        Case(
            "connections.unsolicited",
            "Bytes that arrive on an idle connection are not the response to the next request (RFC 9112 §9.2)", unsolicited),
        Case("connections.ipv6", "An IPv6 address in a URL is reached, and is in brackets in Host (RFC 3986 §3.2.2)", ipv6),
    ]

    static func reuse(_ context: CaseContext) async throws {
        let server = try await context.serve(
            .text("a"), .stream("b", "c"), .status(204), .status(304), .text("no", status: 404), .text("x").precededBy(103), .text("f"))
        for delivery in [BodyDelivery.buffered, .streamed, .buffered, .streamed, .buffered, .streamed] {
            _ = await context.exchange(try context.request(server, delivery: delivery))
        }
        context.expect("the last response", await context.exchange(try context.request(server, .head)), body: Data())
        context.expect("the connections", server.connectionCount, is: 1)
        context.expect("the requests", server.requests.count, is: 7)
    }

    static func close(_ context: CaseContext) async throws {
        let server = try await context.serve { _ in MockReply.text("last").closingConnection() }
        for _ in 0..<5 {
            let outcome = await context.exchange(try context.request(server, .post, body: HTTPBody("x")))
            context.expect("the response", outcome, body: Data("last".utf8))
        }
        context.expect("the requests", server.requests.count, is: 5)
        context.expect("the connections", server.connectionCount, is: 5)
    }

    static func parallel(_ context: CaseContext) async throws {
        let server = try await context.serve { $0.path == "/slow" ? .silence : .text("quick") }
        let slow = context.start(try context.request(server, .get, "slow"))
        try await server.waitForRequests(1)
        for _ in 0..<3 { context.expect("the fast one", await context.exchange(try context.request(server)), body: Data("quick".utf8)) }
        slow.cancel()
        context.expect("the slow one", await slow.value, fails: .cancelled)
    }

    static func limit(_ context: CaseContext) async throws {
        let limit = context.options.connectionsPerOrigin
        let gate = Tally()
        let server = try await context.serve { _ in
            try await gate.wait { $0 > 0 }
            return .text("served")
        }
        let calls = try (0..<(limit ?? 20) * 3).map { context.start(try context.request(server, .get, "\($0)")) }
        context.step("waiting for \(limit ?? 1) requests at a time")
        try await server.waitForRequests(limit ?? 1)
        gate.add(1)
        for call in calls { context.expect("a response", await call.value, body: Data("served".utf8)) }
        context.expect("the requests", server.requests.count, is: calls.count)
        guard let limit else { return }
        context.expect("the connections", server.connectionCount <= limit, "at most \(limit)", seen: "\(server.connectionCount)")
    }

    static func unsolicited(_ context: CaseContext) async throws {
        // Longer than the heads of all responses together, so that the number of bytes written tells when it was sent.
        let foreign = String(repeating: "e", count: 20_000)
        let text = "HTTP/1.1 200 OK\r\nContent-Length: \(foreign.utf8.count)\r\n\r\n\(foreign)"
        for delivery in BodyDelivery.both {
            for method in [HTTPMethod.get, .put, .post] {
                let server = try await context.serve { request in
                    let reply = MockReply.text(request.path)
                    return request.path == "/first" ? reply.with(.unsolicited(text, after: .milliseconds(20))) : reply
                }
                context.expect(
                    "the first response", await context.exchange(try context.request(server, .get, "first", delivery: delivery)),
                    body: Data("/first".utf8))
                try await server.waitForBytesWritten(foreign.utf8.count)
                for path in ["second", "third"] {
                    let body = method == .get ? nil : HTTPBody("x")
                    let request = try context.request(server, method, path, body: body, delivery: delivery)
                    let subject = "\(delivery.words) \(method), the \(path) response"
                    context.expect(subject, await context.exchange(request), body: Data("/\(path)".utf8))
                }
                context.expect("\(method), the requests", server.requests.map(\.path), is: ["/first", "/second", "/third"])
            }
        }
    }

    static func ipv6(_ context: CaseContext) async throws {
        guard context.options.capabilities.contains(.ipv6) else {
            let outcome = await context.exchange(HTTPRequest(url: try context.url("http://[::1]:1/")))
            return context.expect("the request", outcome, fails: .anyNetworkError)
        }
        var options = MockServer.Options()
        options.usesIPv6 = true
        context.step("starting a server on ::1")
        let server = try await context.serve(options: options) { _ in .text("six") }
        context.expect("the response", await context.exchange(try context.request(server, .get, "x")), body: Data("six".utf8))
        context.expect("Host", server.requests.first?.headers[.host] ?? "none", is: "[::1]:\(server.port)")
    }
}
