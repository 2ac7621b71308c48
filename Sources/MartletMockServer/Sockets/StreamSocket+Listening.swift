internal import MartletSystem

#if canImport(Glibc)
internal import CMartletMockServer
#endif

extension StreamSocket {
    enum Arrival {
        case connection(StreamSocket)
        case none
        /// No descriptor is left, or the connection has closed.
        case failed
    }

    /// Creates a listener on a free port of a loopback address. `backlog` connections may wait without being accepted.
    static func listener(
        usesIPv6: Bool = false, sendBufferBytes: Int? = nil, backlog: Int32 = 1024
    ) throws(SystemFailure) -> StreamSocket {
        let listener = try StreamSocket(boundTo: .loopback(usesIPv6: usesIPv6))
        // Accepted sockets inherit the size.
        if let sendBufferBytes { listener.set(SOL_SOCKET, SO_SNDBUF, Int32(clamping: sendBufferBytes)) }
        guard listen(listener.descriptor, backlog) == 0 else {
            defer { listener.shut() }
            throw SystemFailure(what: "the socket could not listen", code: errno)
        }
        return listener
    }

    /// Accepts the next waiting connection.
    func accept() -> Arrival {
        #if canImport(Glibc)
        let accepted = csocket_accept(descriptor)
        #else
        let accepted = NonBlockingDescriptor.prepared(Darwin.accept(descriptor, nil, nil))
        #endif
        guard accepted >= 0 else { return errno == EAGAIN || errno == EWOULDBLOCK ? .none : .failed }
        let socket = StreamSocket(descriptor: accepted)
        socket.sendWithoutDelay()
        return .connection(socket)
    }

    /// Ends the sending direction.
    func endSending() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    /// Closes the socket, with an RST if `isReset`.
    func shut(isReset: Bool) {
        if isReset {
            var option = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        }
        shut()
    }
}

extension SocketAddress {
    /// The loopback address with a port. Without one, the system chooses a free one.
    static func loopback(usesIPv6: Bool = false, port: Int? = nil) throws(SystemFailure) -> SocketAddress {
        let host = usesIPv6 ? "::1" : "127.0.0.1"
        guard let found = of(host: host, port: port, isNumeric: true).first else {
            throw SystemFailure(what: "\(host) is not an address that the server can listen on", code: EINVAL)
        }
        return found
    }
}
