import Testing

@testable import MartletSystem

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

@Suite("NetworkRoutes", .timeLimit(.minutes(5)))
struct NetworkRoutesTests {
    @Test("Only routing errors mean that there is no route; a lack of descriptors or permissions does not")
    func errors() {
        for code in [ENETUNREACH, EHOSTUNREACH, ENETDOWN, EADDRNOTAVAIL, EAFNOSUPPORT] { #expect(NetworkRoutes.isMissing(code)) }
        for code in [EMFILE, ENFILE, EPERM, EACCES, EINPROGRESS] { #expect(!NetworkRoutes.isMissing(code)) }
    }

    @Test("Looking up a route leaves no descriptor open")
    func descriptors() {
        let before = dup(0)
        close(before)
        for _ in 0..<2_000 { _ = NetworkRoutes.areAvailable }
        let after = dup(0)
        close(after)
        #expect(after - before < 1_000)
    }
}
