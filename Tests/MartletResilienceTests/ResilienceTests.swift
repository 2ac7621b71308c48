import Foundation
import MartletTesting
import Testing

@testable import MartletResilience

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

    @Test("Groups beyond the maximum number replace the group that is worth least and was used longest ago")
    func groups() {
        let instant = ContinuousClock.now
        var states = ScopedStates<StateRetention>(retention: { retention, _ in retention }) { .none }
        for (name, retention) in [("busy", StateRetention.inUse), ("open", .decision)] { states.with(name, at: instant) { $0 = retention } }
        for number in 0..<2_000 { states.with("\(number)", at: instant) { _ in } }
        #expect((876...1_000).contains(states.all.count))
        #expect(["busy", "open", "1999"].allSatisfy { states.all[$0] != nil } && states.all["0"] == nil)
        let known = states.withKnown("0") { $0 }
        #expect(known == nil)
        for number in 0..<2_000 { states.with("open \(number)", at: instant) { $0 = .decision } }
        #expect((876...1_000).contains(states.all.count))
        #expect(states.all["busy"] != nil && states.all["open"] == nil && states.all["1999"] == nil)
    }

    @Test("Groups in use stay beyond the maximum number, and are removed after their use")
    func manyInUse() {
        let instant = ContinuousClock.now
        var states = ScopedStates<StateRetention>(retention: { retention, _ in retention }) { .inUse }
        for number in 0..<1_500 { states.with("\(number)", at: instant) { _ in } }
        #expect(states.all.count == 1_500)
        for number in 0..<1_500 { states.withKnown("\(number)") { $0 = .none } }
        for number in 2_000..<2_600 { states.with("\(number)", at: instant) { $0 = .none } }
        #expect(states.all.count <= 1_000 && (2_400..<2_600).allSatisfy { states.all["\($0)"] != nil })
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
