internal import MartletSystem

extension MockServer {
    /// Which of the machine's own addresses a server is on.
    public enum Address: Sendable, Hashable {
        /// 127.0.0.1.
        case ipv4
        /// ::1. A machine without it gives `.networkError(.other)` when the server is started.
        case ipv6

        /// As it stands in a URL.
        var host: String { self == .ipv4 ? "127.0.0.1" : "[::1]" }
    }
}

/// A loopback address in the system's own form.
struct LoopbackAddress {
    private let address: MockServer.Address
    private let port: UInt16

    /// The address with a port; 0 for one that is free.
    init(_ address: MockServer.Address, port: UInt16 = 0) {
        self.address = address
        self.port = port
    }

    /// Binds a socket, lets it listen unless `backlog` is nil, and gives its port; nil when the system refuses.
    func bind(_ descriptor: Int32, backlog: Int32?) -> UInt16? {
        withBytes { generic, length in
            var length = length
            guard systemBind(descriptor, generic, length) == 0, backlog.map({ listen(descriptor, $0) == 0 }) ?? true,
                getsockname(descriptor, generic, &length) == 0
            else { return nil }
            // The port is at the same place in both families.
            return generic.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { UInt16(bigEndian: $0.pointee.sin_port) }
        }
    }

    /// Begins to connect a socket that does not block.
    func connect(_ descriptor: Int32) {
        withBytes { generic, length in _ = systemConnect(descriptor, generic, length) }
    }

    private func withBytes<Result>(_ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Result) -> Result {
        address == .ipv4 ? withGeneric(ipv4, body) : withGeneric(ipv6, body)
    }

    private func withGeneric<Address, Result>(
        _ address: Address, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var address = address
        return withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<Address>.size)) }
        }
    }

    private var ipv4: sockaddr_in {
        var address = sockaddr_in()
        #if canImport(Darwin)
        address.sin_len = UInt8(MemoryLayout<sockaddr_in>.size)
        #endif
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private var ipv6: sockaddr_in6 {
        var address = sockaddr_in6()
        #if canImport(Darwin)
        address.sin6_len = UInt8(MemoryLayout<sockaddr_in6>.size)
        #endif
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        address.sin6_addr = in6addr_loopback
        return address
    }
}

private func systemBind(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
    bind(descriptor, address, length)
}

private func systemConnect(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
    connect(descriptor, address, length)
}
