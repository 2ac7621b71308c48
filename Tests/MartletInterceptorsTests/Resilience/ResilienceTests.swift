import Foundation
import MartletTesting
import Testing

@testable import MartletInterceptors

@Suite("Resilience", .timeLimit(.minutes(5)))
struct ResilienceTests {
    @Test("The standard list has retry outside hedging, the circuit breaker and the limits")
    func standard() {
        var resilience = Resilience.standard
        #expect(
            resilience.list.map { "\(type(of: $0))" } == [
                "Coalescing", "RetryInterceptor", "Hedging", "CircuitBreaker", "RateLimiter", "ConcurrencyLimit",
            ])
        resilience.connectivity = WaitForConnectivity()
        resilience.coalescing = nil
        #expect(resilience.list.prefix(3).map { "\(type(of: $0))" } == ["RetryInterceptor", "WaitForConnectivity", "Hedging"])
        #expect(Resilience().list.isEmpty)
    }

    @Test("No interceptor of the list adds credentials")
    func credentials() {
        let request = HTTPRequest(url: URL(string: "https://h/")!)
        for interceptor in Resilience.standard.list + [WaitForConnectivity()] {
            #expect((interceptor as? any CredentialAddingInterceptor)?.mayAddCredential(to: request) == false)
        }
    }

    @Test("Groups beyond the maximum number replace the idle one that was used longest ago")
    func groups() {
        var states = ScopedStates<Int>(isIdle: { $0 >= 0 }) { 0 }
        states.with("busy") { $0 = -1 }
        for number in 0..<2_000 { states.with("\(number)") { $0 += 1 } }
        #expect(states.all.count == 1_000 && states.all["busy"] == -1 && states.all["1999"] == 1 && states.all["0"] == nil)
        let known = states.withKnown("0") { $0 }
        #expect(known == nil)
    }

    @Test("Scopes name the group of a request")
    func scopes() throws {
        var request = HTTPRequest(method: .put, url: URL(string: "https://H:443/users/7?a=1")!)
        request.context.pathTemplate = "users/{}"
        #expect(TrafficScope.origin.name(for: request) == "https://h")
        #expect(TrafficScope.route.name(for: request) == "PUT https://h/users/{}")
        #expect(TrafficScope.named { $0.method.rawValue }.name(for: request) == "PUT")
    }
}
