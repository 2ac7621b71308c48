import MartletHTTP
import Testing

@Suite("NetworkFailure", .timeLimit(.minutes(5)))
struct NetworkFailureTests {
    @Test("A failed lookup or a missing route means offline only if no route leads to the internet")
    func offline() {
        #expect(NetworkFailure.Kind.failedLookup(hasRoute: true) == .hostNotFound)
        #expect(NetworkFailure.Kind.missingRoute(hasRoute: true) == .unreachable)
        #expect(NetworkFailure.Kind.failedLookup(hasRoute: false) == .offline)
        #expect(NetworkFailure.Kind.missingRoute(hasRoute: false) == .offline)
    }
}
