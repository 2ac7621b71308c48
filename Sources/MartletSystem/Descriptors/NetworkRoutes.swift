#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The system's routes to other machines.
package enum NetworkRoutes {
    /// Whether a route leads to the internet over IPv4 or IPv6. Without one, no interface is up or none has a router.
    ///
    /// Nothing is sent: connecting a datagram socket only looks up the route. The addresses are those of documentation (RFC 5737, RFC 3849).
    package static var areAvailable: Bool {
        var version4 = sockaddr_in()
        version4.sin_family = sa_family_t(AF_INET)
        version4.sin_port = in_port_t(80).bigEndian
        var version6 = sockaddr_in6()
        version6.sin6_family = sa_family_t(AF_INET6)
        version6.sin6_port = in_port_t(80).bigEndian
        inet_pton(AF_INET, "203.0.113.1", &version4.sin_addr)
        inet_pton(AF_INET6, "2001:db8::1", &version6.sin6_addr)
        return canConnect(AF_INET, version4) || canConnect(AF_INET6, version6)
    }

    private static func canConnect<Address>(_ family: Int32, _ address: Address) -> Bool {
        #if canImport(Darwin)
        let descriptor = socket(family, SOCK_DGRAM, 0)
        #else
        let descriptor = socket(family, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        #endif
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return withUnsafeBytes(of: address) { bytes in
            guard let start = bytes.baseAddress else { return false }
            return connect(descriptor, start.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count)) == 0
        }
    }
}
