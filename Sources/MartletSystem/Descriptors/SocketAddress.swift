/// The address of a socket in the system's own form.
package struct SocketAddress: Sendable {
    /// The address family, such as `AF_INET6`.
    let family: Int32
    private let bytes: [UInt8]

    /// Creates the address of a Unix domain socket. Returns nil if the path is empty, contains a null byte, or is too long.
    package init?(path: String) {
        var address = sockaddr_un()
        #if canImport(Darwin)
        address.sun_len = UInt8(MemoryLayout<sockaddr_un>.size)
        #endif
        address.sun_family = sa_family_t(AF_UNIX)
        let text = Array(path.utf8)
        // The path needs a terminating null byte.
        guard !text.isEmpty, !text.contains(0), text.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: text) }
        family = AF_UNIX
        bytes = withUnsafeBytes(of: &address) { Array($0) }
    }

    private init(_ info: addrinfo) {
        family = info.ai_family
        bytes = Array(UnsafeRawBufferPointer(start: info.ai_addr, count: Int(info.ai_addrlen)))
    }

    /// Returns the addresses of a host in the order in which to try them (RFC 6724). Empty if there are none. Blocks while a name is
    /// looked up.
    ///
    /// - Parameters:
    ///   - port: The port, or nil for 0, which stands for any free port when a socket is bound.
    ///   - isNumeric: Whether only an IP address is accepted, which is not looked up and does not block.
    package static func of(host: String, port: Int? = nil, isNumeric: Bool = false) -> [SocketAddress] {
        if let port, !(1...65_535).contains(port) { return [] }
        var hints = addrinfo()
        #if canImport(Glibc)
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
        hints.ai_socktype = SOCK_STREAM
        #endif
        hints.ai_flags = (port == nil ? 0 : AI_NUMERICSERV) | (isNumeric ? AI_NUMERICHOST : 0)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, port?.description, &hints, &list) == 0, let first = list else { return [] }
        defer { freeaddrinfo(first) }
        return sequence(first: first) { $0.pointee.ai_next }.filter { $0.pointee.ai_addr != nil }.map { SocketAddress($0.pointee) }
    }

    /// The IP address as text, or an empty string if it has no text form.
    package var numericHost: String {
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let code = withPointer { getnameinfo($0, $1, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) }
        return code == 0 ? String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) : ""
    }

    /// Calls `body` with a pointer to the address and its length, as system functions expect them.
    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        bytes.withUnsafeBytes { raw in
            // Never empty: each initialiser copies a whole structure.
            body(raw.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t(raw.count))
        }
    }
}

/// The system's routes to other machines.
package enum NetworkRoutes {
    /// Whether there is a route to the internet over IPv4 or IPv6. Without one, no interface is up, or none has a router.
    ///
    /// Also true if the system cannot tell, for example because the process has no free descriptors.
    ///
    /// Nothing is sent: connecting a datagram socket only looks up the route. The addresses are reserved for documentation (RFC 5737, RFC
    /// 3849).
    package static var areAvailable: Bool { ["203.0.113.1", "2001:db8::1"].contains(where: hasRoute) }

    private static func hasRoute(to host: String) -> Bool {
        guard let address = SocketAddress.of(host: host, port: 80, isNumeric: true).first else { return false }
        let descriptor = NonBlockingDescriptor.datagramSocket(family: address.family)
        guard descriptor >= 0 else { return !isMissing(errno) }
        defer { _ = close(descriptor) }
        return address.withPointer { connect(descriptor, $0, $1) } == 0 || !isMissing(errno)
    }

    /// Whether an error means that there is no route, rather than that the route could not be looked up.
    static func isMissing(_ code: Int32) -> Bool {
        [ENETUNREACH, EHOSTUNREACH, ENETDOWN, EADDRNOTAVAIL, EAFNOSUPPORT].contains(code)
    }
}
