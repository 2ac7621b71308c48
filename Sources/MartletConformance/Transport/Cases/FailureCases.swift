internal import MartletEssentials

/// Requests without a response, whose error gives the reason.
enum FailureCases {
    static let all = [
        Case("failures.refused", "A port without a listener refuses the connection", refused),
        Case("failures.host-not-found", "A name that is reserved for not existing is an unknown host (RFC 6761 §6.4)", hostNotFound),
        Case("failures.closed", "A server that closes without a response is a lost connection", closed),
        Case("failures.reset", "A connection that is reset before the response is a lost connection", reset),
        Case("failures.cut-head", "A head that is truncated by the end of the connection is a lost connection (RFC 9112 §8)", cutHead),
        Case("failures.garbage", "A response that is not HTTP is an invalid response (RFC 9112 §2.2)", garbage),
        Case("failures.after", "After a failure the same transport serves the next request", after),
    ]

    static func refused(_ context: CaseContext) async throws {
        let nobody = try RefusingPort()
        defer { withExtendedLifetime(nobody) {} }
        let url = try context.url("http://127.0.0.1:\(nobody.port)/")
        for method in [HTTPMethod.get, .post] {
            let body = method == .post ? HTTPBody("x") : nil
            context.expect(
                "\(method)", await context.exchange(HTTPRequest(method: method, url: url, body: body)), fails: .network(.connectionRefused))
        }
    }

    static func hostNotFound(_ context: CaseContext) async throws {
        let outcome = await context.exchange(HTTPRequest(url: try context.url("http://does-not-exist.invalid/")))
        context.expect("the request", outcome, fails: .network(.failedLookup()))
    }

    private static func fails(_ context: CaseContext, _ reply: MockReply, with expected: ExpectedError) async throws {
        for delivery in BodyDelivery.both {
            for method in [HTTPMethod.get, .post] {
                let server = try await context.serve { _ in reply }
                let body = method == .post ? HTTPBody("x") : nil
                let outcome = await context.exchange(try context.request(server, method, body: body, delivery: delivery))
                context.expect("\(delivery.words) \(method)", outcome, fails: expected)
                if method == .post { context.expect("\(delivery.words) POST, the deliveries", server.requests.count, is: 1) }
            }
        }
    }

    static func closed(_ context: CaseContext) async throws { try await fails(context, .disconnect, with: .connectionLost) }

    static func reset(_ context: CaseContext) async throws { try await fails(context, .reset, with: .connectionLost) }

    static func cutHead(_ context: CaseContext) async throws {
        for count in [3, 8, 15, 17, 20] {
            try await fails(context, .text("x").disconnecting(afterHeadBytes: count), with: .connectionLost)
        }
        try await fails(context, .raw("HTTP/1.1 200 OK\r\nContent-Le"), with: .connectionLost)
        try await fails(context, .raw("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n"), with: .connectionLost)
        try await fails(context, .raw("HTTP/1.1 103 Early Hints\r\n\r\n"), with: .connectionLost)
    }

    static func garbage(_ context: CaseContext) async throws {
        for bytes in ["SSH-2.0-OpenSSH_9.2\r\n", "<html>no head</html>", "\u{16}\u{3}\u{1}\u{2}"] {
            try await fails(context, .raw(bytes), with: .invalidResponse)
        }
    }

    static func after(_ context: CaseContext) async throws {
        let server = try await context.serve(
            .reset, .text("1"), .disconnect, .text("2"), .raw("garbage\r\n\r\n"), .text("3"),
            .text("cut").disconnecting(afterBodyBytes: 1),
            .text("4"))
        for number in 1...4 {
            let failure = await context.exchange(try context.request(server, .post, body: HTTPBody("x")))
            let error = ExpectedError(words: "an error") { _ in true }
            context.expect("failure \(number)", failure, fails: error)
            let answer = await context.exchange(try context.request(server, .post, body: HTTPBody("x")))
            context.expect("the response after it", answer, body: Data("\(number)".utf8))
        }
    }
}
