import Foundation
import Martlet
import MartletTesting
import TestSupport
import Testing

@testable import MartletConformance

/// Tests that the suite detects faults.
@Suite("TransportConformance: detecting broken transports", .timeLimit(.minutes(10)))
struct BrokenTransportTests {
    static let breaks: [(words: String, ids: [String], transport: BrokenTransport)] = [
        ("one line of each name", ["fields.duplicates", "fields.set-cookie"], .mergingFields),
        ("redirects followed", ["restraint.redirects"], .followingRedirects),
        (
            "short bodies taken",
            ["truncation.length", "truncation.chunk", "truncation.last-chunk", "truncation.reset", "truncation.large"],
            .takingShortBodies
        ),
        (
            "cancellation ignored", ["cancellation.head", "cancellation.client", "deadlines.total", "deadlines.attempt"],
            .ignoringCancellation
        ),
        ("sent once more", ["delivery.post", "delivery.patch", "failures.reset"], .resending),
        ("no limits", ["bodies.limit", "fields.head-limit", "fields.count-limit", "codings.bomb"], .withoutLimits),
        ("codings left", ["codings.gzip", "codings.deflate", "codings.raw-deflate"], .leavingCodings),
        ("connections not kept", ["connections.reuse"], .closingConnections),
        ("vague errors", ["failures.refused", "failures.garbage", "cancellation.head", "truncation.length", "bodies.limit"], .vague),
        ("whole seconds", ["deadlines.not-early"], .rounding),
        ("upgrades forgotten", ["websockets.messages"], .forgettingUpgrades),
        (
            "streams collected first",
            ["answers.head-first", "bodies.pieces", "bodies.backpressure", "cancellation.dropped", "deadlines.idle"], .collecting
        ),
        ("fields invented", ["requests.no-inventions"], .inventing),
        ("paths tidied", ["requests.path"], .tidying),
        (
            "bytes garbled", ["bodies.down-buffered", "bodies.up-data", "requests.get-body", "answers.chunked", "answers.chunked-length"],
            .garbling
        ),
    ]

    /// Returns the case's failure over a transport, or nil if the case passes.
    static func failure(
        _ id: String, _ transport: any Transport, expecting deviations: [String: [String]] = [:],
        timeLimit: Duration = .seconds(60)
    ) async throws -> TransportConformance.CaseFailure? {
        let aCase = try #require(TransportConformance.cases.first { $0.id == id })
        var options = TransportConformance.Options(timeLimit: timeLimit)
        options.maxBodyBytes = 2_000_000
        return await aCase.failure(expecting: deviations, options: options) { transport }
    }

    @Test("A transport's fault is detected by the case with the matching name, which passes without the fault", arguments: breaks.indices)
    func found(index: Int) async throws {
        let (words, ids, transport) = Self.breaks[index]
        for id in ids {
            let failure = try await Self.failure(id, transport, timeLimit: .seconds(2))
            #expect(failure?.id == id, "\(words) is not found by \(id)")
            #expect(failure?.mismatches.isEmpty == false)
            let sound = try await Self.failure(id, ownTransport(), timeLimit: .seconds(240))
            #expect(sound == nil, "\(String(describing: sound))")
        }
    }

    @Test("Every case can fail", arguments: TransportConformance.cases)
    func canFail(aCase: TransportConformance.Case) async throws {
        let transports: [any Transport] = [BrokenTransport.yesSayer, BrokenTransport.naySayer]
        var failures = 0
        for transport in transports where try await Self.failure(aCase.id, transport, timeLimit: .seconds(2)) != nil { failures += 1 }
        #expect(failures > 0)
    }

    @Test("A delayed exchange is detected in each attempt and reported once; without the capability only the coarse limit applies")
    func isolation() async throws {
        let aCase = try #require(TransportConformance.cases.first { $0.id == "neighbours.interims" })
        let time = ManualTime(autoAdvances: false)
        func check(_ capabilities: Set<TransportConformance.Capability>) async throws {
            var options = TransportConformance.Options(timeLimit: .seconds(60), capabilities: capabilities)
            options.time = time
            try await aCase.check(options: options) { BrokenTransport.delayingNeighbours(time) }
        }
        let all = Set(TransportConformance.Capability.allCases)
        let error = await #expect(throws: TransportConformance.Failure.self) { try await check(all) }
        let mismatches = try #require(error?.cases.first).mismatches
        #expect(mismatches.count == 1 && "\(mismatches)".contains("the longest exchange meanwhile: expected at most"))
        try await check(all.subtracting([.isolation]))
    }

    @Test("A transport that hangs fails every case within the time limit")
    func hanging() async throws {
        let cases = TransportConformance.cases
        let error = await #expect(throws: TransportConformance.Failure.self) {
            try await TransportConformance.check(cases, options: .init(timeLimit: .milliseconds(100))) { BrokenTransport.hanging() }
        }
        let failure = try #require(error)
        #expect(failure.cases.map(\.id) == cases.map(\.id))
        #expect(failure.count == cases.count)
    }

    @Test("A case abandoned at its time limit reports its last step")
    func unfinished() async throws {
        let time = ManualTime(), asked = Recorder<Void>()
        var options = TransportConformance.Options(timeLimit: .milliseconds(100))
        options.time = time
        let refused = try #require(TransportConformance.cases.first { $0.id == "failures.refused" })
        let run = Task { [options] in
            await refused.failure(expecting: [:], options: options) { BrokenTransport.hanging { asked.append(()) } }
        }
        _ = try await asked.first(1)
        try await time.waitForTimers()
        time.advance(by: .milliseconds(100))
        let failure = try #require(await run.value)
        #expect("\(failure)".contains("GET /, waiting for the response: expected an end, saw none within 0.1 seconds"))
    }

    @Test("The error lists each failed case with its sentence, and the expected and observed values")
    func text() async throws {
        let cases = TransportConformance.cases.filter { ["restraint.redirects", "restraint.cookies"].contains($0.id) }
        let error = await #expect(throws: TransportConformance.Failure.self) {
            try await TransportConformance.check(cases) { BrokenTransport.followingRedirects }
        }
        let text = "\(try #require(error))"
        #expect(text.hasPrefix("1 of 2 cases failed\nrestraint.redirects: A redirect is not followed but returned"))
        #expect(text.contains("\n  buffered, GET and 301, relative, the status: expected 301, saw 200\n"))
        #expect(text.contains("\n  buffered, GET and 301, relative, the body: expected “moved”, saw “followed”\n"))
        #expect(error?.localizedDescription == text)
    }

    @Test("A known deviation passes while it is observed, and fails when it disappears or changes")
    func deviations() async throws {
        let known = ["fields.set-cookie": ["Set-Cookie: expected"]]
        #expect(try await Self.failure("fields.set-cookie", BrokenTransport.mergingFields, expecting: known) == nil)
        let gone = try await Self.failure("fields.set-cookie", ownTransport(), expecting: known)
        #expect("\(try #require(gone))".contains("the case passes. Remove the deviation."))
        let other = try await Self.failure("fields.set-cookie", BrokenTransport.naySayer, expecting: known)
        #expect("\(try #require(other))".contains("the known deviation: expected “Set-Cookie: expected”, saw other failures, without it"))
        let elsewhere = try await Self.failure("fields.empty", ownTransport(), expecting: known)
        #expect(elsewhere == nil)
    }

    @Test("A deviation from a case that is not run is a failure")
    func unknownDeviation() async throws {
        let error = await #expect(throws: TransportConformance.Failure.self) {
            try await TransportConformance.check([], expecting: ["no.such": ["x"]]) { ownTransport() }
        }
        #expect(error?.cases.map(\.id) == ["no.such"])
    }

    @Test("Without a capability a case has a different expectation, and no case is skipped")
    func capabilities() async throws {
        let gzip = try #require(TransportConformance.cases.first { $0.id == "codings.gzip" })
        var without = TransportConformance.Options(capabilities: [.deflate])
        without.timeLimit = .seconds(300)
        let options = without
        let error = await #expect(throws: TransportConformance.Failure.self) {
            try await gzip.check(options: options) { ownTransport() }
        }
        #expect("\(try #require(error))".contains("whether Accept-Encoding asks for it: expected false, saw true"))
    }
}
