/// A host's name, or every name below one, as pinned keys and client identities are limited to.
struct HostPattern: Sendable, Hashable {
    /// In lower case: `api.example.com`, `*.example.com`, or `*` for every host.
    let text: String

    /// A pattern; nil for what is not the name of a host.
    ///
    /// - Parameter allowsAny: whether `*` alone is a pattern.
    init?(_ text: String, allowsAny: Bool = false) {
        guard allowsAny && text == "*" || HostPattern.isName(text) else { return nil }
        self.text = HostName.normalized(text)
    }

    /// Whether `host` is one of those meant. Names are compared without case and without a dot at the end.
    func includes(_ host: String) -> Bool {
        if text == "*" { return true }
        let host = HostName.normalized(host)
        return text.hasPrefix("*.") ? host.hasSuffix(text.dropFirst()) && host.count >= text.count : host == text
    }

    /// A star may only stand for what is before the first dot. Anything that is not part of a name would never match.
    private static func isName(_ host: String) -> Bool {
        let name = host.hasPrefix("*.") ? host.dropFirst(2) : host[...]
        // Only an IPv6 address has colons: with a port, a pattern would never match.
        if name.contains(":"), name.count < host.count || IPAddress(HostName.normalized(name)) == nil { return false }
        return !name.isEmpty && name != "." && !name.hasPrefix(".") && !name.contains { "*/@#? \t\r\n".contains($0) }
    }
}

/// The form in which names of hosts are compared.
enum HostName {
    /// In lower case, without the root's dot at the end, and without the brackets of an IPv6 address.
    static func normalized(_ host: some StringProtocol) -> String {
        var name = host.lowercased()[...]
        if name.hasPrefix("["), name.hasSuffix("]") { name = name.dropFirst().dropLast() }
        if name.hasSuffix(".") { name = name.dropLast() }
        return String(name)
    }
}
