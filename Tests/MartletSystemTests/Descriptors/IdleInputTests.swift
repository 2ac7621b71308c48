import Foundation
import MartletSystem
import Testing

@Suite("IdleInput", .timeLimit(.minutes(5)))
struct IdleInputTests {
    @Test("Only a connection without bytes, an end or an error may be used")
    func input() {
        #expect(IdleInput(received: -1, failure: EAGAIN) == .nothing)
        #expect(IdleInput(received: 1, failure: 0) == .bytes)
        #expect(IdleInput(received: 0, failure: EAGAIN) == .end)
        for failure in [ECONNRESET, EBADF, ENOTSOCK] { #expect(IdleInput(received: -1, failure: failure) == .end) }
        #expect([IdleInput.nothing, .bytes, .end].map(\.allowsRequest) == [true, false, false])
    }

    @Test("A look at a socket takes nothing from it, and does not wait")
    func peeking() {
        var pair: [Int32] = [0, 0]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        #expect(IdleInput(peekingAt: pair[0]) == .nothing)
        #expect(send(pair[1], "ab", 2, 0) == 2)
        for _ in 0..<3 { #expect(IdleInput(peekingAt: pair[0]) == .bytes) }
        var bytes: [UInt8] = [0, 0]
        #expect(recv(pair[0], &bytes, 2, 0) == 2)
        #expect(IdleInput(peekingAt: pair[0]) == .nothing)
        close(pair[1])
        #expect(IdleInput(peekingAt: pair[0]) == .end)
        close(pair[0])
    }
}
