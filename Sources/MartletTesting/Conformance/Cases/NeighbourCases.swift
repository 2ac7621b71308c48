#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A response that is expensive to receive must not hold up other exchanges over the same transport.
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

    private static func beside(_ trial: Trial, _ reply: MockReply) async throws {
        let arrived = Tally()
        let hostile = try await trial.serve { _ in
            arrived.add(1)
            return reply
        }
        let server = try await trial.serve { _ in .text("near") }
        guard trial.expect("an exchange before", await trial.exchange(try trial.request(server)), body: Data("near".utf8)) != nil else {
            return
        }
        let calls = try BodyDelivery.both.map { trial.start(try trial.request(hostile, delivery: $0)) }
        trial.step("waiting until the hostile server has been asked")
        try await arrived.wait { $0 >= calls.count }
        let clock = ContinuousClock(), limit = trial.options.timeLimit / 4
        var longest = Duration.zero
        for _ in 0..<10 {
            let begun = clock.now
            trial.expect("an exchange meanwhile", await trial.exchange(try trial.request(server)), body: Data("near".utf8))
            longest = max(longest, clock.now - begun)
        }
        trial.expect("the longest exchange", longest < limit, "less than \(limit)", seen: "\(longest)")
        for call in calls { call.cancel() }
        trial.step("waiting for the hostile exchanges to end")
        for call in calls { _ = await call.value }
    }
}
