import Foundation
import Testing

@testable import MartletSystem

@Suite("Mailbox", .timeLimit(.minutes(5)))
struct MailboxTests {
    private func isReadable(_ mailbox: Mailbox<Int>) -> Bool {
        var polled = pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&polled, 1, 0) == 1
    }

    @Test("Messages make the descriptor readable until they are taken in order")
    func order() throws {
        let mailbox = try Mailbox<Int>()
        #expect(!isReadable(mailbox))
        for number in 1...3 { #expect(mailbox.post(number)) }
        #expect(isReadable(mailbox))
        #expect(mailbox.take() == [1, 2, 3])
        #expect(!isReadable(mailbox))
        #expect(mailbox.take() == [])
    }

    @Test("Stopping wakes the thread, and a closed mailbox returns the remaining messages and rejects new ones")
    func end() throws {
        let mailbox = try Mailbox<Int>()
        mailbox.stop()
        #expect(mailbox.isStopping && isReadable(mailbox))
        mailbox.post(1)
        #expect(mailbox.close() == [1])
        #expect(mailbox.isClosed && !mailbox.post(2))
        #expect(mailbox.take() == [])
    }
}

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
