import Foundation
import Testing

@testable import MartletAuth

@Suite("AuthDecision", .timeLimit(.minutes(5)))
struct AuthDecisionTests {
    private func request(_ url: String = "https://a.example/x", base: Origin? = nil) -> HTTPRequest {
        var request = HTTPRequest(url: URL(string: url)!)
        request.context.baseOrigin = base
        return request
    }

    @Test("A token is attached for the base URL's origin or a listed one, and not for others")
    func sending() {
        let ofBase = request(base: "https://a.example")
        #expect(AuthDecision.willSend(ofBase, origins: nil, isSetByHand: false) == .attach)
        #expect(AuthDecision.willSend(ofBase, origins: ["https://b.example"], isSetByHand: false) == .leave)
        #expect(AuthDecision.willSend(ofBase, origins: nil, isSetByHand: true) == .leave)
        #expect(AuthDecision.willSend(request(base: "http://a.example"), origins: nil, isSetByHand: false) == .leave)
        #expect(AuthDecision.willSend(request(), origins: nil, isSetByHand: true) == .leave)
    }

    @Test("Without an origin, with an empty list or an invalid origin, nothing is sent and the error names the reason")
    func refused() {
        for origins in [nil, [], ["api.example"], ["https://a.example", "//b.example"], ["https://"]] as [[Origin]?] {
            guard case .refuse(let why) = AuthDecision.willSend(request(), origins: origins, isSetByHand: false) else {
                Issue.record("sent with \(String(describing: origins))")
                continue
            }
            #expect(why.contains("origin"))
        }
        #expect(AuthDecision.willSend(request(), origins: [], isSetByHand: true) == .leave)
    }

    @Test("A rejection renews the token, and only a replayable request is sent again")
    func receiving() {
        #expect(AuthDecision.received(isRefusal: false, isReplayable: true) == .deliver)
        #expect(AuthDecision.received(isRefusal: true, isReplayable: true) == .renewAndResend)
        #expect(AuthDecision.received(isRefusal: true, isReplayable: false) == .renewAndDeliver)
    }

    @Test("A rejected token is renewed only if it is the current one")
    func rejecting() {
        let token = AccessToken("a")
        #expect(AuthDecision.rejected(token, current: AccessToken("a", refreshToken: "other")) == .renew)
        #expect(AuthDecision.rejected(token, current: AccessToken("b")) == .use(AccessToken("b")))
        #expect(AuthDecision.rejected(token, current: nil) == .none)
    }
}
