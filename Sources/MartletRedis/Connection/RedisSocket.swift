internal import MartletCache
internal import MartletSystem

/// A socket that never blocks.
struct RedisSocket {
    enum Connecting {
        case connected
        case underWay
        case failed(Int32)
    }

    enum Transfer {
        case bytes(Int)
        case wouldBlock
        case failed(Int32)
    }

    let descriptor: Int32

    /// A socket for an address, that has begun to connect.
    static func connecting(to address: SocketAddress) -> (socket: RedisSocket?, state: Connecting) {
        let descriptor = NonBlockingDescriptor.socket(family: address.family)
        guard descriptor >= 0 else { return (nil, .failed(errno)) }
        let made = RedisSocket(descriptor: descriptor)
        if address.family != AF_UNIX { made.set(Int32(IPPROTO_TCP), TCP_NODELAY, 1) }
        switch address.connect(descriptor) {
        case 0: return (made, .connected)
        case EINPROGRESS, EINTR: return (made, .underWay)
        case let code:
            made.shut()
            return (nil, .failed(code))
        }
    }

    private func set(_ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// What has become of the connecting: 0, or the system's code.
    func outcome() -> Int32 {
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length) == 0 else { return errno }
        return code
    }

    /// Reads what is there; `.bytes(0)` at the end.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
        RedisSocket.transfer(recv(descriptor, buffer.baseAddress, buffer.count, 0))
    }

    /// Writes as much as the other side and the kernel take.
    func send(_ bytes: UnsafeRawBufferPointer) -> Transfer {
        #if canImport(Glibc)
        RedisSocket.transfer(Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL)))
        #else
        RedisSocket.transfer(Darwin.send(descriptor, bytes.baseAddress, bytes.count, 0))
        #endif
    }

    func shut() { _ = close(descriptor) }

    private static func transfer(_ result: Int) -> Transfer {
        if result >= 0 { return .bytes(result) }
        return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? .wouldBlock : .failed(errno)
    }
}
