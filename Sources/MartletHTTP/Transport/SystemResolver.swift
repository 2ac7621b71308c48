internal import MartletSystem

/// The system's name resolver.
package enum SystemResolver {
    /// Returns the addresses of a name in the order in which to try them (RFC 6724), or nil if there are none. Blocks.
    ///
    /// An address that has no text form is an empty string.
    package static func addresses(of name: String) -> [String]? {
        let addresses = SocketAddress.of(host: name)
        return addresses.isEmpty ? nil : addresses.map(\.numericHost)
    }
}
