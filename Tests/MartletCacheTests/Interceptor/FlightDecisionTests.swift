import Foundation
import Testing

@testable import MartletCache

@Suite("FlightDecision", .timeLimit(.minutes(1)))
struct FlightDecisionTests {
    private func request(_ method: HTTPMethod = .get, _ headers: HTTPFields = [:], policy: CachePolicy = .useProtocol) throws -> HTTPRequest
    {
        var request = HTTPRequest(method: method, url: try #require(URL(string: "https://h/birds")), headers: headers)
        request.context.cachePolicy = policy
        return request
    }

    private func departing(
        _ request: HTTPRequest, _ reason: CacheStatus.ForwardReason = .stale, isUnshareable: Bool = false, waits: Int = 0
    ) -> FlightDecision { .departing(request, reason, isUnshareable: isUnshareable, waits: waits) }

    @Test("A GET waits for an identical one, whatever the store lacks, and joins at most two flights")
    func shared() throws {
        for reason in [CacheStatus.ForwardReason.uriMiss, .varyMiss, .miss, .stale, .partial] {
            #expect(departing(try request(), reason) == .joinOrStart)
        }
        for policy in [CachePolicy.useProtocol, .cacheElseNetwork, .cacheAndNetwork] {
            #expect(departing(try request(policy: policy)) == .joinOrStart)
        }
        let plain = try request()
        #expect((0...3).map { departing(plain, waits: $0) } == [.joinOrStart, .joinOrStart, .sendAlone, .sendAlone])
    }

    @Test("A request whose response is for its own caller is sent alone")
    func alone() throws {
        #expect(departing(try request(), isUnshareable: true) == .sendAlone)
        #expect(departing(try request(), .request) == .sendAlone)
        #expect(departing(try request(policy: .reload)) == .sendAlone)
        #expect(departing(try request(.head)) == .sendAlone)
        let fields: [HTTPFields] = [
            [.range: "bytes=0-9"], [.ifNoneMatch: "\"a\""], [.ifModifiedSince: "Sun, 06 Nov 1994 08:49:37 GMT"], [.ifMatch: "\"a\""],
        ]
        for headers in fields {
            #expect(departing(try request(.get, headers)) == .sendAlone, "\(headers)")
        }
    }

    @Test("A request that was sent returns its response or error, unless a stored response replaces the failure (RFC 5861 §4)")
    func started() {
        #expect(FlightDecision.landed(.started) == .takeResult)
        #expect(FlightDecision.landed(.started, isCancelled: true) == .takeResult)
        #expect(FlightDecision.landed(.started, isUnreachable: true) == .takeResult)
        #expect(FlightDecision.landed(.started, hasReplacement: true, isUnreachable: true) == .serveStored)
    }

    @Test("A request that waited looks at the store by the rules of HTTP, and shares the failure of an unreachable server")
    func joined() {
        for policy in [CachePolicy.useProtocol, .cacheElseNetwork, .cacheAndNetwork] {
            #expect(FlightDecision.landed(.joined, policy: policy) == .lookAgain(.useProtocol))
        }
        #expect(FlightDecision.landed(.joined, isUnreachable: true) == .takeResult)
        #expect(FlightDecision.landed(.joined, hasReplacement: true, isUnreachable: true) == .serveStored)
        #expect(FlightDecision.landed(.joined, isCancelled: true, hasReplacement: true, isUnreachable: true) == .cancel)
    }

    @Test("After a response that was stored meanwhile, the policy decides: any age, or another request for a caller that has had it")
    func forestalled() {
        #expect(FlightDecision.landed(.forestalled) == .lookAgain(.useProtocol))
        #expect(FlightDecision.landed(.forestalled, policy: .cacheElseNetwork) == .lookAgain(.cacheElseNetwork))
        #expect(FlightDecision.landed(.forestalled, policy: .cacheAndNetwork) == .sendAgain)
        #expect(FlightDecision.landed(.forestalled, isCancelled: true) == .cancel)
    }

    @Test("A usable response is returned; otherwise the request is sent, alone if the other response was for its caller only")
    func found() {
        let roles = [FlightDecision.Role.joined, .forestalled]
        #expect(roles.map { FlightDecision.found(.usable, $0) } == [.serveStored, .serveStored])
        #expect(roles.map { FlightDecision.found(.unusable, $0) } == [.sendAgain, .sendAgain])
        #expect(roles.map { FlightDecision.found(.nothing, $0) } == [.sendAlone, .sendAgain])
    }

    @Test("Every path of decisions ends: two flights are followed by a request of its own")
    func bounded() throws {
        for finding in [FlightDecision.Finding.unusable, .nothing] {
            var decision = FlightDecision.sendAgain, waits = 0, steps = 0
            while decision != .sendAlone, steps < 20 {
                steps += 1
                switch decision {
                case .sendAgain: decision = departing(try request(), waits: waits)
                case .joinOrStart:
                    waits += 1
                    decision = .landed(.forestalled)
                case .lookAgain: decision = .found(finding, .forestalled)
                default: Issue.record("\(decision)")
                }
            }
            #expect(decision == .sendAlone && waits == 2)
        }
    }
}
