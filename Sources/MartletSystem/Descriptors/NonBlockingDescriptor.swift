/// Creates descriptors that are non-blocking and closed on exec.
///
/// On Linux both flags are set at creation, so that a `fork` and `exec` on another thread cannot inherit the descriptor. Darwin has no such
/// calls.
package enum NonBlockingDescriptor {
    #if canImport(Glibc)
    private static let stream = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    private static let datagram = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    #else
    private static let stream = SOCK_STREAM
    private static let datagram = SOCK_DGRAM
    #endif

    /// Creates a stream socket of an address family. Returns -1 with `errno` set on failure.
    package static func streamSocket(family: Int32) -> Int32 { prepared(socket(family, stream, 0)) }

    /// Creates a datagram socket of an address family. Returns -1 with `errno` set on failure.
    static func datagramSocket(family: Int32) -> Int32 { prepared(socket(family, datagram, 0)) }

    /// Creates two connected local sockets. Returns nil with `errno` set on failure.
    static func pair() -> (Int32, Int32)? {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, stream, 0, &ends) == 0 else { return nil }
        return (prepared(ends[0]), prepared(ends[1]))
    }

    /// Sets both flags on a new descriptor, unless they were set at its creation. -1 stays -1.
    package static func prepared(_ descriptor: Int32) -> Int32 {
        #if canImport(Darwin)
        guard descriptor >= 0 else { return descriptor }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
        #endif
        return descriptor
    }
}
