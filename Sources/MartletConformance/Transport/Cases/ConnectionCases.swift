internal import MartletEssentials

/// How connections are used.
enum ConnectionCases {
    static let all = [
        Case("connections.reuse", "A connection is kept and used again, whatever came over it (RFC 9112 §9.3)", reuse),
        Case("connections.close", "A connection whose answer says “close” is not used again (RFC 9112 §9.6)", close),
        Case("connections.parallel", "A slow answer holds up no other request to its origin", parallel),
        Case("connections.limit", "There are no more connections to an origin than the transport's limit; all are served", limit),
        Case("connections.ipv6", "A literal IPv6 address is reached, and stands in brackets in Host (RFC 3986 §3.2.2)", ipv6),
    ]

    static func reuse(_ trial: CaseContext) async throws {
        let server = try await trial.serve(
            .text("a"), .stream("b", "c"), .status(204), .status(304), .text("no", status: 404), .text("x").precededBy(103), .text("f"))
        for delivery in [BodyDelivery.buffered, .streamed, .buffered, .streamed, .buffered, .streamed] {
            _ = await trial.exchange(try trial.request(server, delivery: delivery))
        }
        trial.expect("the last answer", await trial.exchange(try trial.request(server, .head)), body: Data())
        trial.expect("the connections", server.connectionCount, is: 1)
        trial.expect("the requests", server.requests.count, is: 7)
    }

    static func close(_ trial: CaseContext) async throws {
        let server = try await trial.serve { _ in MockReply.text("last").closingConnection() }
        for _ in 0..<5 {
            let outcome = await trial.exchange(try trial.request(server, .post, body: HTTPBody("x")))
            trial.expect("the answer", outcome, body: Data("last".utf8))
        }
        trial.expect("the requests", server.requests.count, is: 5)
        trial.expect("the connections", server.connectionCount, is: 5)
    }

    static func parallel(_ trial: CaseContext) async throws {
        let server = try await trial.serve { $0.path == "/slow" ? .silence : .text("quick") }
        let slow = trial.start(try trial.request(server, .get, "slow"))
        _ = try await server.waitForRequests(1)
        for _ in 0..<3 { trial.expect("the quick one", await trial.exchange(try trial.request(server)), body: Data("quick".utf8)) }
        slow.cancel()
        trial.expect("the slow one", await slow.value, fails: .cancelled)
    }

    static func limit(_ trial: CaseContext) async throws {
        let limit = trial.options.connectionsPerOrigin
        let gate = Tally()
        let server = try await trial.serve { _ in
            try await gate.wait { $0 > 0 }
            return .text("served")
        }
        let calls = try (0..<(limit ?? 20) * 3).map { trial.start(try trial.request(server, .get, "\($0)")) }
        trial.step("waiting for \(limit ?? 1) requests at a time")
        _ = try await server.waitForRequests(limit ?? 1)
        gate.add(1)
        for call in calls { trial.expect("an answer", await call.value, body: Data("served".utf8)) }
        trial.expect("the requests", server.requests.count, is: calls.count)
        guard let limit else { return }
        trial.expect("the connections", server.connectionCount <= limit, "at most \(limit)", seen: "\(server.connectionCount)")
    }

    static func ipv6(_ trial: CaseContext) async throws {
        guard trial.options.capabilities.contains(.ipv6) else {
            let outcome = await trial.exchange(HTTPRequest(url: try trial.url("http://[::1]:1/")))
            return trial.expect("the request", outcome, fails: .anyNetworkError)
        }
        var options = MockServer.Options()
        options.address = .ipv6
        trial.step("starting a server on ::1")
        let server = try await trial.serve(options: options) { _ in .text("six") }
        trial.expect("the answer", await trial.exchange(try trial.request(server, .get, "x")), body: Data("six".utf8))
        trial.expect("Host", server.requests.first?.headers[.host] ?? "none", is: "[::1]:\(server.port)")
    }
}
