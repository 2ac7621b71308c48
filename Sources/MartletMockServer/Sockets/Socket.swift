internal import MartletSystem

#if canImport(Glibc)
internal import CMartletMockServer
#endif

/// A non-blocking TCP socket on a loopback address: no other is ever bound.
struct Socket {
    let descriptor: Int32

    enum Transfer {
        case bytes(Int)
        case wouldBlock
        case failed
    }

    /// A listener on a free port of a loopback address. `backlog` connections may stand there without being accepted.
    static func listener(
        on address: MockServer.Address = .ipv4, sendBufferBytes: Int?, backlog: Int32 = 1024
    ) throws(HTTPError) -> (socket: Socket, port: UInt16) {
        let listener = try make(for: address)
        do throws(HTTPError) {
            // Accepted sockets inherit it.
            if let sendBufferBytes { listener.set(SOL_SOCKET, SO_SNDBUF, Int32(clamping: sendBufferBytes)) }
            guard let port = LoopbackAddress(address).bind(listener.descriptor, backlog: backlog) else {
                throw failure("bind to \(address.host)")
            }
            return (listener, port)
        } catch {
            listener.shut()
            throw error
        }
    }

    /// A socket that is neither bound nor connected.
    static func make(for address: MockServer.Address) throws(HTTPError) -> Socket {
        let descriptor = NonBlockingDescriptor.socket(family: address == .ipv4 ? AF_INET : AF_INET6)
        guard descriptor >= 0 else { throw failure("socket") }
        return Socket(descriptor: descriptor)
    }

    private func set(_ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func failure(_ what: String) -> HTTPError {
        .networkError(NetworkFailure(.other, "MockServer can't \(what): \(SystemFailure.words(errno))"))
    }
}

extension Socket {
    enum Arrival {
        case connection(Socket)
        case none
        /// The process has no descriptor left, or the connection was gone already.
        case failed
    }

    /// The next connection that waits.
    func accept() -> Arrival {
        #if canImport(Glibc)
        let accepted = csocket_accept(descriptor)
        #else
        let accepted = NonBlockingDescriptor.prepared(Darwin.accept(descriptor, nil, nil))
        #endif
        guard accepted >= 0 else { return errno == EAGAIN || errno == EWOULDBLOCK ? .none : .failed }
        let socket = Socket(descriptor: accepted)
        socket.set(Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        return .connection(socket)
    }

    /// Reads what is there; `.bytes(0)` at the end.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
        Socket.transfer(recv(descriptor, buffer.baseAddress, buffer.count, 0))
    }

    /// Writes as much as the other side and the kernel take.
    func send(_ bytes: UnsafeRawBufferPointer) -> Transfer {
        #if canImport(Glibc)
        Socket.transfer(Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL)))
        #else
        Socket.transfer(Darwin.send(descriptor, bytes.baseAddress, bytes.count, 0))
        #endif
    }

    /// Says that nothing more will be sent.
    func endSending() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    /// Closes; with `isReset` by a RST.
    func shut(isReset: Bool = false) {
        if isReset {
            var option = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        }
        _ = close(descriptor)
    }

    private static func transfer(_ result: Int) -> Transfer {
        if result >= 0 { return .bytes(result) }
        return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? .wouldBlock : .failed
    }
}
