import Foundation
import MartletTesting
import Testing

@testable import MartletTransfers

@Suite(.timeLimit(.minutes(5))) struct ReconnectionDecisionTests {
    /// Random numbers that add either nothing or the maximum.
    struct Chance: RandomSource {
        var most = false
        func next() -> UInt64 { most ? .max : 0 }
    }

    private let start = ContinuousClock.now
    private let lost = HTTPError.networkError(NetworkFailure(.connectionLost))

    private func waits(
        _ count: Int, _ settings: EventReconnection = .init(), after error: HTTPError? = nil, chance: Chance = Chance(),
        change: (inout ReconnectionHistory) -> Void = { _ in }
    ) -> [Duration?] {
        var history = ReconnectionHistory(settings)
        return (0..<count).map { _ in
            change(&history)
            return history.wait(after: error, at: start, random: chance)
        }
    }

    @Test("Waits double for each unsuccessful connection, up to the maximum")
    func growth() {
        #expect(waits(6, after: lost) == [3, 6, 12, 24, 30, 30].map { .seconds($0) })
        #expect(waits(6) == [3, 6, 12, 24, 30, 30].map { .seconds($0) })
    }

    @Test("Jitter adds up to a half, and a wait is never shorter than the reconnection time (WHATWG HTML §9.2.3)")
    func jitter() throws {
        let wait = try #require(waits(1, chance: Chance(most: true))[0])
        #expect(wait > .seconds(4.49) && wait <= .seconds(4.5))
    }

    @Test("An event, or a connection that stayed open, resets the wait")
    func reset() {
        var history = ReconnectionHistory(.init())
        for _ in 0..<4 { _ = history.wait(after: lost, at: start, random: Chance()) }
        history.opened(at: start)
        history.broughtEvent()
        #expect(history.wait(after: lost, at: start, random: Chance()) == .seconds(3))
        for _ in 0..<4 { _ = history.wait(after: lost, at: start, random: Chance()) }
        history.opened(at: start)
        #expect(history.wait(after: nil, at: start + .seconds(30), random: Chance()) == .seconds(3))
        history.opened(at: start)
        #expect(history.wait(after: nil, at: start + .seconds(29), random: Chance()) == .seconds(3))
        history.opened(at: start)
        #expect(history.wait(after: nil, at: start + .seconds(29), random: Chance()) == .seconds(6))
    }

    @Test("After the maximum number of failures no connection follows, and without a maximum one always does")
    func failures() {
        #expect(waits(4, .init(maxFailures: 3), after: lost).map { $0 != nil } == [true, true, false, false])
        #expect(waits(1, .init(maxFailures: 0), after: lost) == [nil])
        #expect(waits(1000, .init(maxFailures: nil), after: lost).allSatisfy { $0 != nil })
        #expect(waits(11, after: lost).map { $0 != nil } == Array(repeating: true, count: 9) + [false, false])
    }

    @Test("A stream that ends without an event increases the wait, and is not a failure")
    func emptyStreams() { #expect(waits(1000).allSatisfy { $0 != nil }) }

    @Test("The server's reconnection time is used between the minimum and the maximum")
    func serverDelay() {
        func wait(_ delay: Duration) -> Duration? { waits(1) { $0.set(serverDelay: delay) }[0] }
        #expect(wait(.milliseconds(1500)) == .seconds(1.5))
        #expect(wait(.zero) == .milliseconds(100))
        #expect(wait(.seconds(600)) == .seconds(600))
        #expect(wait(.milliseconds(Int64.max)) == .seconds(3600))
        #expect(waits(5) { $0.set(serverDelay: .zero) } == [100, 200, 400, 800, 1600].map { .milliseconds($0) })
        #expect(waits(3) { $0.set(serverDelay: .seconds(600)) } == [.seconds(600), .seconds(600), .seconds(600)])
    }

    @Test("The wait that a response asks for is respected, and one beyond the maximum ends the stream")
    func retryAfter() {
        let settings = EventReconnection(statuses: [503])
        let busy = HTTPError.statusCode(HTTPResponse(status: 503, body: Data()))
        var history = ReconnectionHistory(settings)
        #expect(history.wait(after: busy, asked: .seconds(100), at: start, random: Chance()) == .seconds(100))
        #expect(history.wait(after: busy, asked: .seconds(1), at: start, random: Chance()) == .seconds(6))
        #expect(history.wait(after: busy, asked: .seconds(3601), at: start, random: Chance()) == nil)
    }

    @Test("Without waits, connections that break immediately still count as failures")
    func noDelay() {
        let settings = EventReconnection(delay: .zero, minDelay: .zero, maxDelay: .zero, maxFailures: 3)
        #expect(waits(3, settings, after: lost) { $0.opened(at: start) } == [.zero, .zero, nil])
    }

    @Test("A failure that would repeat ends the stream")
    func finalErrors() {
        let final: [HTTPError] = [
            .statusCode(HTTPResponse(status: 500, body: Data())), .invalidURL("x"), .invalidRequest("x"), .invalidSSLCertificate("x"),
            .cancelled, .invalidResponse("no HTTP"), .responseTooLarge(SizeLimitFailure(.line, limit: 1)), .redirectFailed("x"),
            .bodyNotReplayable("x"), .authenticationFailed("x"), .engineUnavailable("x"),
            .decodingFailed(DecodingFailure(type: "t", reason: "r", response: HTTPResponse(status: 200, body: Data()))),
        ]
        for error in final { #expect(waits(1, after: error) == [nil], "\(error)") }
        for error in [lost, .timeout, .circuitOpen("x")] { #expect(waits(1, after: error) == [.seconds(3)], "\(error)") }
    }

    @Test("A stream that is malformed from its start does not reconnect; one that was parsed before does")
    func malformed() {
        let malformed = HTTPError.invalidResponse(Explanation("no gzip", context: ErrorContext(stage: .body)))
        #expect(waits(1, after: malformed) == [nil])
        #expect(waits(1, after: malformed) { $0.received() } == [.seconds(3)])
        #expect(waits(1, after: malformed) { $0.broughtEvent() } == [.seconds(3)])
        // Data of an earlier connection do not count for this one.
        var history = ReconnectionHistory(.init())
        history.broughtEvent()
        #expect(history.wait(after: malformed, at: start, random: Chance()) != nil)
        #expect(history.wait(after: malformed, at: start, random: Chance()) == nil)
        #expect(
            waits(1, after: .invalidResponse(Explanation("no HTTP", context: ErrorContext(stage: .decoding)))) { $0.received() } == [nil])
    }

    /// What a history without past decides.
    private func decision(
        _ cause: ConnectionEnd.Cause, reconnects: Bool? = nil, isIdempotent: Bool = true,
        isCancelled: Bool = false,
        asked: Duration? = nil, left: Duration? = nil
    ) -> ReconnectionDecision {
        var history = ReconnectionHistory(EventReconnection(reconnects: reconnects))
        let end = ConnectionEnd(
            cause: cause, isIdempotent: isIdempotent, isCancelled: isCancelled, requestedWait: asked, timeLeft: left)
        return history.decision(after: end, at: start, random: Chance())
    }

    @Test("After an end or a failure, the rule decides whether another connection follows")
    func rules() {
        for cause in [ConnectionEnd.Cause.ended, .failed(lost)] {
            #expect(decision(cause) == .reconnect(after: .seconds(3)))
            #expect(decision(cause, isIdempotent: false) == .end)
            #expect(decision(cause, reconnects: true, isIdempotent: false) == .reconnect(after: .seconds(3)))
            #expect(decision(cause, reconnects: false) == .end)
        }
        #expect(decision(.refused, reconnects: true) == .end)
    }

    @Test("Cancellation counts before every failure, and before an end that another connection would follow")
    func cancelled() {
        for cause in [ConnectionEnd.Cause.failed(lost), .failed(.invalidRequest("x")), .refused] {
            #expect(decision(cause, reconnects: false, isCancelled: true) == .cancel)
        }
        #expect(decision(.ended, isCancelled: true) == .cancel)
        #expect(decision(.ended, reconnects: false, isCancelled: true) == .end)
    }

    @Test("No connection follows a wait that reaches the deadline, and a failure that would repeat counts first")
    func deadline() {
        #expect(decision(.ended, left: .seconds(3)) == .outOfTime)
        #expect(decision(.ended, left: .seconds(3.1)) == .reconnect(after: .seconds(3)))
        #expect(decision(.failed(lost), asked: .seconds(20), left: .seconds(10)) == .outOfTime)
        #expect(decision(.failed(.invalidRequest("x")), left: .zero) == .end)
        #expect(decision(.ended, reconnects: false, left: .zero) == .end)
    }
}

extension ReconnectionHistory {
    /// Returns the wait before another connection, or nil if none follows.
    fileprivate mutating func wait(
        after error: HTTPError?, asked: Duration? = nil, at instant: ContinuousClock.Instant, random: any RandomSource
    ) -> Duration? {
        let end = ConnectionEnd(cause: error.map { .failed($0) } ?? .ended, requestedWait: asked)
        guard case .reconnect(let wait) = decision(after: end, at: instant, random: random) else { return nil }
        return wait
    }
}
