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

    /// The additional time that an exchange may take.
    private static let allowance = Duration.milliseconds(100)
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
