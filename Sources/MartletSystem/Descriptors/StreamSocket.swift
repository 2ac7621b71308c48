/// A stream socket that never blocks. Its owner closes it.
package struct StreamSocket: Sendable {
    /// The result of reading or writing.
    package enum IOResult {
        case bytes(Int)
        case wouldBlock
        /// The associated value is an `errno` code.
        case failed(Int32)
    }

    /// The file descriptor, for `poll`.
    package let descriptor: Int32

    /// - Parameter descriptor: A descriptor that is non-blocking and closed on exec.
    package init(descriptor: Int32) { self.descriptor = descriptor }

    private init(for address: SocketAddress) throws(SystemFailure) {
        descriptor = NonBlockingDescriptor.streamSocket(family: address.family)
        guard descriptor >= 0 else { throw SystemFailure(what: "the socket could not be created", code: errno) }
    }

    /// Creates a socket and starts to connect it. When `poll` reports it as writable, ``connectionFailure()`` returns the result.
    package init(connectingTo address: SocketAddress) throws(SystemFailure) {
        try self.init(for: address)
        if address.family != AF_UNIX { sendWithoutDelay() }
        let code = address.withPointer { connect(descriptor, $0, $1) == 0 ? 0 : errno }
        guard [0, EINPROGRESS, EINTR].contains(code) else {
            shut()
            throw SystemFailure(what: "the socket could not be connected", code: code)
        }
    }

    /// Creates a socket that is bound to an address and does not listen. If the address has port 0, the system chooses the ``port``.
    package init(boundTo address: SocketAddress) throws(SystemFailure) {
        try self.init(for: address)
        guard address.withPointer({ bind(descriptor, $0, $1) }) == 0, port != 0 else {
            let code = errno
            shut()
            throw SystemFailure(what: "the socket could not be bound to a port", code: code)
        }
    }

    /// The local port, or 0 if there is none.
    package var port: Int {
        var address = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard code == 0, [AF_INET, AF_INET6].contains(Int32(address.sin6_family)) else { return 0 }
        // Both address families have the port at the same offset.
        return Int(UInt16(bigEndian: address.sin6_port))
    }

    /// Returns the `errno` code of a failed connection, or 0 if the socket is connected.
    package func connectionFailure() -> Int32 {
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length) == 0 ? code : errno
    }

    /// Sends small packets immediately (TCP_NODELAY).
    package func sendWithoutDelay() { set(Int32(IPPROTO_TCP), TCP_NODELAY, 1) }

    /// Sets a socket option. A failure is ignored.
    package func set(_ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Reads the available bytes. Returns `.bytes(0)` at the end.
    package func receive(into buffer: UnsafeMutableRawBufferPointer) -> IOResult {
        StreamSocket.result(of: recv(descriptor, buffer.baseAddress, buffer.count, 0))
    }

    /// Writes as many bytes as the kernel accepts.
    package func send(_ bytes: UnsafeRawBufferPointer) -> IOResult {
        #if canImport(Glibc)
        StreamSocket.result(of: Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL)))
        #else
        StreamSocket.result(of: Darwin.send(descriptor, bytes.baseAddress, bytes.count, 0))
        #endif
    }

    /// Closes the socket.
    package func shut() { _ = close(descriptor) }

    private static func result(of count: Int) -> IOResult {
        if count >= 0 { return .bytes(count) }
        return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? .wouldBlock : .failed(errno)
    }
}

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
