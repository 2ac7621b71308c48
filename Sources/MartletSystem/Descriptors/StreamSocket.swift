/// A stream socket that never blocks. Its owner closes it.
package struct StreamSocket: Sendable {
    /// The result of reading or writing.
    package enum Transfer {
        case bytes(Int)
        case wouldBlock
        /// The associated value is an `errno` code.
        case failed(Int32)
    }

    /// The file descriptor, for `poll`.
    package let descriptor: Int32

    /// - Parameter descriptor: a descriptor that is non-blocking and closed on exec.
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
    package func receive(into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
        StreamSocket.transfer(recv(descriptor, buffer.baseAddress, buffer.count, 0))
    }

    /// Writes as many bytes as the kernel accepts.
    package func send(_ bytes: UnsafeRawBufferPointer) -> Transfer {
        #if canImport(Glibc)
        StreamSocket.transfer(Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL)))
        #else
        StreamSocket.transfer(Darwin.send(descriptor, bytes.baseAddress, bytes.count, 0))
        #endif
    }

    /// Closes the socket.
    package func shut() { _ = close(descriptor) }

    private static func transfer(_ result: Int) -> Transfer {
        if result >= 0 { return .bytes(result) }
        return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? .wouldBlock : .failed(errno)
    }
}
