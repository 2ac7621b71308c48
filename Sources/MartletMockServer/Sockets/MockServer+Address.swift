internal import MartletSystem

extension MockServer {
    /// The loopback address of a server.
    public enum Address: Sendable, Hashable {
        /// The IPv4 address 127.0.0.1.
        case ipv4
        /// The IPv6 address ::1. On a machine without it, starting the server throws `.networkError(.other)`.
        case ipv6

        /// The address as written in a URL.
        var host: String { self == .ipv4 ? "127.0.0.1" : "[::1]" }
    }
}

extension SocketAddress {
    /// The loopback address with a port. Without one, the system chooses a free one.
    static func loopback(_ address: MockServer.Address = .ipv4, port: Int? = nil) throws(SystemFailure) -> SocketAddress {
        guard let found = of(host: address == .ipv4 ? "127.0.0.1" : "::1", port: port, isNumeric: true).first else {
            throw SystemFailure(what: "\(address.host) is not an address that the server can listen on", code: EINVAL)
        }
        return found
    }
}
