internal import MartletEssentials

/// A response that is expensive to receive must not delay other exchanges over the same transport.
enum NeighbourCases {
    static let all = [
        Case("neighbours.codings", "Other exchanges complete while bodies in two and three codings are decoded (RFC 9110 §8.4)") {
            try await beside($0, HostileReply.nested)
            try await beside($0, HostileReply.nestedTwice)
        },
        Case("neighbours.bomb", "Other exchanges complete while a body that expands a thousand times is decoded") {
            try await beside($0, HostileReply.bomb)
        },
        Case("neighbours.interims", "Other exchanges complete while interim responses arrive by the thousand (RFC 9110 §15.2)") {
            try await beside($0, HostileReply.interims)
        },
        Case("neighbours.fields", "Other exchanges complete while a head of 100,000 fields arrives (RFC 9110 §5.4)") {
            try await beside($0, HostileReply.fields)
        },
        Case("neighbours.chunks", "Other exchanges complete while a body in chunks of one byte arrives (RFC 9112 §7.1)") {
            try await beside($0, HostileReply.chunks)
        },
        Case("neighbours.trailers", "Other exchanges complete while 100,000 fields arrive after a body (RFC 9112 §7.1.2)") {
            try await beside($0, HostileReply.trailers)
        },
    ]

    /// The additional time that an exchange may take. Without optimization, CurlTransport needs 120 ms for two responses of `interims` up
    /// to the limit on heads, between two turns of other exchanges.
    #if DEBUG
    private static let allowance = Duration.milliseconds(400)
    #else
    private static let allowance = Duration.milliseconds(100)
    #endif
    /// A transport that is blocked exceeds it in each attempt; a busy machine does not.
    private static let maxAttempts = 16

    private static func beside(_ context: CaseContext, _ reply: MockReply) async throws {
        let arrived = Tally()
        let hostile = try await context.serve { _ in
            arrived.add(1)
            return reply
        }
        let server = try await context.serve { _ in .text("near") }
        let isIsolated = context.options.capabilities.contains(.isolation)
        for attempt in 1...maxAttempts {
            guard let usual = try await longest(context, server, "an exchange before") else { return }
            let calls = try BodyDelivery.both.map { context.start(try context.request(hostile, delivery: $0)) }
            context.step("waiting until the hostile server has been asked")
            try await arrived.wait { $0 >= calls.count * attempt }
            let bound = usual + allowance
            let meanwhile = try await longest(context, server, "an exchange meanwhile", until: isIsolated ? bound : nil)
            for call in calls { call.cancel() }
            context.step("waiting for the hostile exchanges to end")
            for call in calls { _ = await call.value }
            guard let meanwhile, isIsolated, meanwhile > bound else { return }
            guard attempt == maxAttempts else { continue }
            let expected = "at most \(bound), in one of \(maxAttempts) attempts"
            context.expect("the longest exchange meanwhile", false, expected, seen: "\(meanwhile)")
        }
    }

    /// Returns the time of the longest of ten exchanges, or of the first one longer than `bound`. Returns nil and notes a mismatch if one
    /// failed.
    private static func longest(
        _ context: CaseContext, _ server: MockServer, _ subject: String, until bound: Duration? = nil
    ) async throws -> Duration? {
        let source = context.options.time, limit = context.options.timeLimit / 4
        var longest = Duration.zero
        for _ in 0..<10 {
            let begun = source.instant
            guard context.expect(subject, await context.exchange(try context.request(server)), body: Data("near".utf8)) != nil else {
                return nil
            }
            let time = source.instant - begun
            guard time < limit else {
                context.expect("the time of \(subject)", false, "less than \(limit)", seen: "\(time)")
                return nil
            }
            longest = max(longest, time)
            if let bound, longest > bound { break }
        }
        return longest
    }
}

/// Responses that cost a client far more than a server.
private enum HostileReply {
    /// 1 MB that expands to 300 MB between two codings and to 5 MB in the end.
    static var nested: MockReply { coded("deflate, deflate", WastefulDeflate.unit, 3000) }

    /// 4 KB that expand to 300 MB between three codings and to 5 MB in the end.
    static var nestedTwice: MockReply { coded("deflate, deflate, deflate", WastefulDeflate.codedUnits, 6) }

    /// 118 KB that expand to 100 MB.
    static var bomb: MockReply { .data(CodedSample.bomb, headers: ["Content-Encoding": "gzip"]) }

    /// 100,000 interim responses without a final response.
    static var interims: MockReply { repeated("", "HTTP/1.1 103 Early Hints\r\n\r\n", 100_000) }

    /// A head of 100,000 fields.
    static var fields: MockReply { repeated("HTTP/1.1 200 OK\r\n", "A: b\r\n", 100_000) }

    /// 200,000 chunks of one byte.
    static var chunks: MockReply { repeated("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n", 200_000) }

    /// 100,000 fields after a body.
    static var trailers: MockReply {
        repeated("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n", "A: b\r\n", 100_000)
    }

    private static func coded(_ coding: String, _ unit: Data, _ count: Int) -> MockReply {
        .data(Data((0..<count).map { _ in unit }.joined()), headers: ["Content-Encoding": coding])
    }

    private static func repeated(_ start: String, _ unit: String, _ count: Int) -> MockReply {
        .raw(start + String(repeating: unit, count: count))
    }
}
