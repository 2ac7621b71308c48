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
