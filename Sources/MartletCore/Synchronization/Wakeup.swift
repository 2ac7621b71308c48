#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A pipe by which other threads end a `poll`.
package final class Wakeup: Sendable {
    /// What a `poll` looks at besides.
    package let readEnd: Int32
    private let writeEnd: Int32

    package init() throws(SystemFailure) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SystemFailure(what: "no pipe", code: errno) }
        for end in ends {
            _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        readEnd = ends[0]
        writeEnd = ends[1]
    }

    deinit {
        _ = close(readEnd)
        _ = close(writeEnd)
    }

    /// Ends the `poll` that is under way, or the next one.
    package func signal() {
        var byte: UInt8 = 1
        _ = write(writeEnd, &byte, 1)
    }

    /// Forgets the signals so far.
    package func clear() {
        var bytes: [UInt8] = Array(repeating: 0, count: 64)
        while read(readEnd, &bytes, bytes.count) > 0 {}
    }
}
