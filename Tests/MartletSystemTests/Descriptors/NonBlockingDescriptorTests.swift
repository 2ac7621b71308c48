import Foundation
import Testing

@testable import MartletSystem

@Suite("NonBlockingDescriptor", .timeLimit(.minutes(5)))
struct NonBlockingDescriptorTests {
    private func isPrepared(_ descriptor: Int32) -> Bool {
        fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0 && fcntl(descriptor, F_GETFL) & O_NONBLOCK != 0
    }

    @Test("Sockets and socket pairs are close-on-exec and non-blocking")
    func prepared() throws {
        let (first, second) = try #require(NonBlockingDescriptor.pair())
        let made = [
            NonBlockingDescriptor.streamSocket(family: AF_INET), NonBlockingDescriptor.streamSocket(family: AF_UNIX), first, second,
        ]
        #expect(made.allSatisfy { $0 >= 0 && isPrepared($0) })
        for descriptor in made { close(descriptor) }
    }
}
