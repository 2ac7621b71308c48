internal import MartletEssentials

/// The host of a request in the form in which cookies name it (RFC 6265bis §5.1.2).
struct CookieHost: Sendable, Equatable {
    /// The host in lower case, without the brackets of an IPv6 address. A trailing dot stays: such a host is another one.
    let text: String
    let isAddress: Bool
    /// Whether the host is this machine, which counts as a secure connection.
    let isLoopback: Bool

    /// Creates the form of a host, or returns nil for an invalid host and for one with characters other than ASCII.
    init?(_ host: String) {
        // URL has decoded the escapes already: a percent sign would be decoded twice.
        guard !host.utf8.contains(UInt8(ascii: "%")) else { return nil }
        let spelling = HostSpelling(host)
        switch spelling {
        case .address: isAddress = true
        case .name: isAddress = false
        case .unclear: return nil
        }
        text = String(host.lowercased().withoutBrackets)
        // Not every resolver keeps names with a trailing dot on this machine.
        isLoopback = spelling.isLoopback && host.utf8.last != UInt8(ascii: ".")
    }

    /// Creates the form of a host that the app names, which may be internationalized.
    init?(named name: String) {
        guard !name.utf8.allSatisfy({ $0 < 0x80 }) else {
            self.init(name)
            return
        }
        // Other characters would add a user, a port or a path to the URL.
        guard name.utf8.allSatisfy({ $0 >= 0x80 || Token.isAlphanumeric($0) || "-_.".utf8.contains($0) }) else { return nil }
        // The URL converts the name to A-labels if the program links Foundation.
        guard let host = URL(string: "https://\(name)/")?.host else { return nil }
        self.init(host)
    }

    /// The domain under which one party registers all names: `example.co.uk` for `api.example.co.uk`. An address, and a public suffix, are
    /// sites of their own.
    var site: Substring { isAddress ? text[...] : PublicSuffixes.registrableDomain(of: text) ?? text[...] }

    /// Returns whether the host is the domain or a name below it (RFC 6265bis §5.1.3).
    func matches(domain: String) -> Bool {
        let host = text.utf8, domain = domain.utf8
        guard host.count > domain.count else { return host.elementsEqual(domain) }
        guard !isAddress, !domain.isEmpty else { return false }
        let rest = host.dropLast(domain.count)
        return rest.last == UInt8(ascii: ".") && host.suffix(domain.count).elementsEqual(domain)
    }
}
