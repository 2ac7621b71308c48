/// Creates descriptors that are non-blocking and closed on exec.
///
/// On Linux both flags are set at creation, so that a `fork` and `exec` on another thread cannot inherit the descriptor. Darwin has no such
/// calls.
package enum NonBlockingDescriptor {
    /// Creates a stream socket of an address family. Returns -1 with `errno` set on failure.
    package static func socket(family: Int32) -> Int32 {
        #if canImport(Glibc)
        Glibc.socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        #else
        prepared(Darwin.socket(family, SOCK_STREAM, 0))
        #endif
    }

    /// Creates two connected local sockets. Returns nil with `errno` set on failure.
    package static func pair() -> (Int32, Int32)? {
        var ends: [Int32] = [-1, -1]
        #if canImport(Glibc)
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
        return (ends[0], ends[1])
        #else
        guard socketpair(AF_UNIX, SOCK_STREAM, 0, &ends) == 0 else { return nil }
        return (prepared(ends[0]), prepared(ends[1]))
        #endif
    }

    #if canImport(Darwin)
    /// Sets both flags on a new descriptor. -1 stays -1.
    package static func prepared(_ descriptor: Int32) -> Int32 {
        guard descriptor >= 0 else { return descriptor }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
        return descriptor
    }
    #endif
}
