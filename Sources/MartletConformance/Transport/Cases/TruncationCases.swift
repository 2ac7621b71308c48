internal import MartletEssentials

/// Truncated bodies must fail as lost connections and never succeed. Malformed bodies are invalid responses.
enum TruncationCases {
    static let all = [
        Case("truncation.length", "A body shorter than its length is a lost connection (RFC 9112 §8)", length),
        Case("truncation.chunk", "A body that ends within a chunk is a lost connection (RFC 9112 §8)", chunk),
        Case("truncation.last-chunk", "A body without its last chunk is a lost connection (RFC 9112 §8)", lastChunk),
        Case("truncation.chunk-size", "A chunk whose size is not a number is an invalid response (RFC 9112 §7.1)", chunkSize),
        Case("truncation.reset", "A connection that is reset within the body is a lost connection", reset),
        Case("truncation.large", "A stream that is truncated after megabytes returns them before the error", large),
    ]

    private static func fails(
        _ context: CaseContext, _ subject: String, _ reply: MockReply, to method: HTTPMethod = .get,
        with expected: ExpectedError = .connectionLostInBody
    ) async throws {
        for delivery in BodyDelivery.both {
            let server = try await context.serve(reply)
            let request = try context.request(server, method, body: method == .post ? HTTPBody("x") : nil, delivery: delivery)
            context.expect(delivery.words + subject, await context.exchange(request), fails: expected)
        }
    }

    static func length(_ context: CaseContext) async throws {
        for count in [0, 5, 9] {
            try await fails(context, ", \(count) of 10 bytes", .text("0123456789").disconnecting(afterBodyBytes: count))
        }
        for status in [201, 206, 302, 404, 500] as [HTTPStatus] {
            let reply = MockReply.text("0123456789", status: status).disconnecting(afterBodyBytes: 5)
            try await fails(context, ", status \(status.rawValue)", reply)
        }
        try await fails(context, ", to a POST", .text("0123456789").disconnecting(afterBodyBytes: 5), to: .post)
    }

    private static let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

    static func chunk(_ context: CaseContext) async throws {
        for body in ["5\r\nhel", "5", "5\r\n", "5\r\nhello"] {
            try await fails(context, ", in a chunk", MockReply.raw(head + body))
        }
    }

    static func lastChunk(_ context: CaseContext) async throws {
        for body in ["", "5\r\nhello\r\n", "5\r\nhello\r\n0", "5\r\nhello\r\n0\r\n"] {
            try await fails(context, ", after “\(body.filter { !$0.isNewline })”", MockReply.raw(head + body))
        }
    }

    static func chunkSize(_ context: CaseContext) async throws {
        for body in ["5\r\nhello\r\nzz\r\n", "-1\r\nx\r\n0\r\n\r\n", "FFFFFFFFFFFFFFFFF\r\nx", "5\r\nhelloworld\r\n0\r\n\r\n"] {
            try await fails(context, ", “\(body.prefix(4).filter { !$0.isNewline })”", .raw(head + body), with: .invalidResponse)
        }
    }

    static func reset(_ context: CaseContext) async throws {
        // A reset may discard received bytes that were not read yet, including the head.
        try await fails(
            context, ", with a length", .text("0123456789").disconnecting(afterBodyBytes: 5, reset: true), with: .connectionLost)
        try await fails(
            context, ", in chunks", .stream("0123456789").disconnecting(afterBodyBytes: 8, reset: true), with: .connectionLost)
    }

    static func large(_ context: CaseContext) async throws {
        let reply = MockReply.data(Pattern.data(6_000_000)).disconnecting(afterBodyBytes: 5_000_000)
        let server = try await context.serve(reply, reply)
        context.expect("buffered", await context.exchange(try context.request(server)), fails: .connectionLostInBody)
        context.step("reading the stream")
        let response = try await context.transport.send(try context.request(server, delivery: .streamed))
        var check = Pattern.Check()
        var iterator = response.body.makeAsyncIterator()
        let outcome = await Outcome.of { () throws(HTTPError) in
            while let chunk = try await iterator.next() { check.add(chunk) }
            return Data()
        }
        context.expect("streamed", outcome, fails: .connectionLostInBody)
        context.expect("streamed, the bytes before", check.fault(of: 5_000_000) ?? "5000000 bytes", is: "5000000 bytes")
    }
}
