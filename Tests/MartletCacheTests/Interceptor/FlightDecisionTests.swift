import Foundation
import Testing

@testable import MartletCache

@Suite("FlightDecision", .timeLimit(.minutes(5)))
struct FlightDecisionTests {
    private func request(_ method: HTTPMethod = .get, _ headers: HTTPFields = [:], policy: CachePolicy = .useProtocol) throws -> HTTPRequest
    {
        var request = HTTPRequest(method: method, url: try #require(URL(string: "https://h/birds")), headers: headers)
        request.context.cachePolicy = policy
        return request
    }

    private func beforeSending(
        _ request: HTTPRequest, _ reason: CacheStatus.ForwardReason = .stale, isUnshareable: Bool = false, waits: Int = 0
    ) -> FlightDecision { .beforeSending(request, reason, isUnshareable: isUnshareable, waits: waits) }

    @Test("A GET waits for an identical one, whatever the store lacks, and joins at most two flights")
    func shared() throws {
        for reason in [CacheStatus.ForwardReason.uriMiss, .varyMiss, .miss, .stale, .partial] {
            #expect(beforeSending(try request(), reason) == .joinOrStart)
        }
        for policy in [CachePolicy.useProtocol, .cacheElseNetwork, .cacheAndNetwork] {
            #expect(beforeSending(try request(policy: policy)) == .joinOrStart)
        }
        let plain = try request()
        #expect((0...3).map { beforeSending(plain, waits: $0) } == [.joinOrStart, .joinOrStart, .sendAlone, .sendAlone])
    }

    @Test("A request whose response is for its own caller is sent alone")
    func alone() throws {
        #expect(beforeSending(try request(), isUnshareable: true) == .sendAlone)
        #expect(beforeSending(try request(), .request) == .sendAlone)
        #expect(beforeSending(try request(policy: .reload)) == .sendAlone)
        #expect(beforeSending(try request(.head)) == .sendAlone)
        let fields: [HTTPFields] = [
            [.range: "bytes=0-9"], [.ifNoneMatch: "\"a\""], [.ifModifiedSince: "Sun, 06 Nov 1994 08:49:37 GMT"], [.ifMatch: "\"a\""],
        ]
        for headers in fields {
            #expect(beforeSending(try request(.get, headers)) == .sendAlone, "\(headers)")
        }
    }

    @Test("A request that was sent returns its response or error, unless a stored response replaces the failure (RFC 5861 §4)")
    func started() {
        #expect(FlightDecision.afterFlight(.started) == .takeResult)
        #expect(FlightDecision.afterFlight(.started, isCancelled: true) == .takeResult)
        for failure in [FlightDecision.Failure.shared, .own] {
            #expect(FlightDecision.afterFlight(.started, failure: failure) == .takeResult)
            #expect(FlightDecision.afterFlight(.started, hasReplacement: true, failure: failure) == .serveStored)
        }
    }

    @Test("A request that waited looks at the store by the rules of HTTP, and shares the failure of an unreachable server")
    func joined() {
        for policy in [CachePolicy.useProtocol, .cacheElseNetwork, .cacheAndNetwork] {
            #expect(FlightDecision.afterFlight(.joined, policy: policy) == .readStore(.useProtocol))
        }
        #expect(FlightDecision.afterFlight(.joined, failure: .shared) == .takeResult)
        #expect(FlightDecision.afterFlight(.joined, hasReplacement: true, failure: .shared) == .serveStored)
        #expect(FlightDecision.afterFlight(.joined, isCancelled: true, hasReplacement: true, failure: .shared) == .cancel)
    }

    @Test("A request that waited for one whose time passed decides again, so that one request is sent for all that waited")
    func joinedFailure() throws {
        #expect(FlightDecision.afterFlight(.joined, failure: .own) == .decide)
        #expect(FlightDecision.afterFlight(.joined, hasReplacement: true, failure: .own) == .serveStored)
        #expect(FlightDecision.afterFlight(.joined, isCancelled: true, failure: .own) == .cancel)
        #expect(beforeSending(try request()) == .joinOrStart)
    }

    @Test("A flight fails for its own request if that times out or is limited, and for all after the eighth such flight")
    func failures() {
        func failure(_ error: HTTPError, after failures: inout SharedFailures) -> FlightDecision.Failure? {
            FetchOutcome(result: .failure(error), isStored: false).failure(after: &failures)
        }
        var none = SharedFailures()
        let lost = failure(.networkError(NetworkFailure(.connectionLost)), after: &none)
        let invalid = failure(.invalidResponse("x"), after: &none)
        #expect(lost == .shared && invalid == nil && none == SharedFailures())
        for error in [HTTPError.timeout, .cancelled, .limitExceeded("x")] {
            var failures = SharedFailures()
            let all = (1...9).map { _ in failure(error, after: &failures) }
            #expect(all == Array(repeating: .own, count: 7) + [.shared, .shared])
        }
    }

    @Test("After a response that was stored meanwhile, the policy decides: any age, or another request for a caller that has had it")
    func alreadyStored() {
        #expect(FlightDecision.afterFlight(.alreadyStored) == .readStore(.useProtocol))
        #expect(FlightDecision.afterFlight(.alreadyStored, policy: .cacheElseNetwork) == .readStore(.cacheElseNetwork))
        #expect(FlightDecision.afterFlight(.alreadyStored, policy: .cacheAndNetwork) == .decide)
        #expect(FlightDecision.afterFlight(.alreadyStored, isCancelled: true) == .cancel)
    }

    @Test("A usable response is returned; otherwise the request is sent, alone if the other response was for its caller only")
    func afterLookup() {
        let roles = [FlightDecision.Role.joined, .alreadyStored]
        #expect(roles.map { FlightDecision.afterLookup(.usable, $0) } == [.serveStored, .serveStored])
        #expect(roles.map { FlightDecision.afterLookup(.unusable, $0) } == [.decide, .decide])
        #expect(roles.map { FlightDecision.afterLookup(.nothing, $0) } == [.sendAlone, .decide])
    }

    @Test("Every path of decisions ends: two flights are followed by a request of its own")
    func bounded() throws {
        for finding in [FlightDecision.Finding.unusable, .nothing] {
            var decision = FlightDecision.decide, waits = 0, steps = 0
            while decision != .sendAlone, steps < 20 {
                steps += 1
                switch decision {
                case .decide: decision = beforeSending(try request(), waits: waits)
                case .joinOrStart:
                    waits += 1
                    decision = .afterFlight(.alreadyStored)
                case .readStore: decision = .afterLookup(finding, .alreadyStored)
                default: Issue.record("\(decision)")
                }
            }
            #expect(decision == .sendAlone && waits == 2)
        }
    }
}
