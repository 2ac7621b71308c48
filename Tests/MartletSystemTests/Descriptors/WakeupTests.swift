import Testing

@testable import MartletSystem

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

@Suite("Wakeup", .timeLimit(.minutes(5)))
struct WakeupTests {
    private func isReadable(_ wakeup: Wakeup) -> Bool {
        var polled = pollfd(fd: wakeup.readEnd, events: Int16(POLLIN), revents: 0)
        return poll(&polled, 1, 0) == 1
    }

    @Test("Any number of signals end a poll until they are cleared", arguments: [1, 64, 100_000])
    func signals(count: Int) throws {
        let wakeup = try Wakeup()
        #expect(!isReadable(wakeup))
        for _ in 0..<count { wakeup.signal() }
        #expect(isReadable(wakeup))
        wakeup.clear()
        #expect(!isReadable(wakeup))
        wakeup.signal()
        #expect(isReadable(wakeup))
    }
}
