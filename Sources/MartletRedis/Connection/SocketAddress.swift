internal import MartletCache
internal import MartletSystem

/// Where a server is.
enum RedisAddress: Sendable, Hashable {
    case host(String, port: Int)
    case socket(path: String)
}

/// An address in the system's own form.
struct SocketAddress: Sendable {
    let family: Int32
    private let bytes: [UInt8]

    /// A file in which a server listens; nil when the path is longer than an address can hold.
    init?(path: String) {
        var address = sockaddr_un()
        #if canImport(Darwin)
        address.sun_len = UInt8(MemoryLayout<sockaddr_un>.size)
        #endif
        address.sun_family = sa_family_t(AF_UNIX)
        let text = Array(path.utf8)
        // One more for the zero at its end.
        guard !text.isEmpty, !text.contains(0), text.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: text) }
        family = AF_UNIX
        bytes = withUnsafeBytes(of: &address) { Array($0) }
    }

    private init(_ info: addrinfo) {
        family = info.ai_family
        bytes = Array(UnsafeRawBufferPointer(start: info.ai_addr, count: Int(info.ai_addrlen)))
    }

    /// The addresses of a host. It blocks while a name is looked up.
    ///
    /// - Parameter isNumeric: whether only an address in numbers is taken, which is not looked up and does not block.
    static func of(host: String, port: Int, isNumeric: Bool) -> [SocketAddress] {
        guard (1...65_535).contains(port) else { return [] }
        var hints = addrinfo()
        #if canImport(Glibc)
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
        hints.ai_socktype = SOCK_STREAM
        #endif
        hints.ai_flags = AI_NUMERICSERV | (isNumeric ? AI_NUMERICHOST : 0)
        var first: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, "\(port)", &hints, &first) == 0 else { return [] }
        defer { freeaddrinfo(first) }
        var found: [SocketAddress] = [], next = first
        while let info = next, found.count < 16 {
            if info.pointee.ai_addr != nil { found.append(SocketAddress(info.pointee)) }
            next = info.pointee.ai_next
        }
        return found
    }

    /// Begins to connect a socket: 0, or the system's code.
    func connect(_ descriptor: Int32) -> Int32 {
        bytes.withUnsafeBytes { raw in
            guard let start = raw.baseAddress else { return EINVAL }
            let address = start.assumingMemoryBound(to: sockaddr.self)
            return systemConnect(descriptor, address, socklen_t(raw.count)) == 0 ? 0 : errno
        }
    }
}

private func systemConnect(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
    connect(descriptor, address, length)
}
