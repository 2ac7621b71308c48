import Testing

@testable import MartletHTTP

@Suite("SystemResolver", .timeLimit(.minutes(1)))
struct SystemResolverTests {
    @Test("A name resolves to its addresses, and an address to itself")
    func addresses() {
        #expect(SystemResolver.addresses(of: "localhost")?.contains { $0 == "127.0.0.1" || $0 == "::1" } == true)
        #expect(SystemResolver.addresses(of: "127.0.0.1") == ["127.0.0.1"])
        #expect(SystemResolver.addresses(of: "::1") == ["::1"])
    }
}
