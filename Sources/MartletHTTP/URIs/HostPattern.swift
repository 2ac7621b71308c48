/// A host name, or all names below one, to which pinned keys and client identities are limited.
struct HostPattern: Sendable, Hashable {
    /// The pattern in lower case: `api.example.com`, `*.example.com`, or `*` for every host.
    let text: String

    /// Creates a pattern. Returns nil for an invalid host name.
    ///
    /// - Parameter allowsAny: Whether `*` alone is valid.
    init?(_ text: String, allowsAny: Bool = false) {
        guard allowsAny && text == "*" || HostPattern.isName(text) else { return nil }
        self.text = HostName.normalized(text)
    }

    /// Whether the pattern matches `host`. Case and a trailing dot are ignored.
    func includes(_ host: String) -> Bool {
        if text == "*" { return true }
        let host = HostName.normalized(host)
        return text.hasPrefix("*.") ? host.hasSuffix(text.dropFirst()) && host.count >= text.count : host == text
    }

    /// Whether a text is a host name. An asterisk may only replace the part before the first dot. Other characters would never match.
    private static func isName(_ host: String) -> Bool {
        let name = host.hasPrefix("*.") ? host.dropFirst(2) : host[...]
        // Only an IPv6 address has colons: with a port, a pattern would never match.
        if name.contains(":"), name.count < host.count || IPAddress(HostName.normalized(name)) == nil { return false }
        return !name.isEmpty && name != "." && !name.hasPrefix(".") && !name.contains { "*/@#? \t\r\n".contains($0) }
    }
}

/// The normalised form for comparing host names.
enum HostName {
    /// Returns a host in lower case, without a trailing dot, and without the brackets of an IPv6 address.
    static func normalized(_ host: some StringProtocol) -> String {
        var name = host.lowercased().withoutBrackets
        if name.hasSuffix(".") { name = name.dropLast() }
        return String(name)
    }
}

extension StringProtocol {
    /// A host without the brackets of an IPv6 literal (RFC 3986 §3.2.2).
    package var withoutBrackets: SubSequence { hasPrefix("[") && hasSuffix("]") ? dropFirst().dropLast() : self[...] }
}
