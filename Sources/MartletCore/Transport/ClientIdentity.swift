/// A client certificate, and the hosts that it is offered to (mutual TLS).
///
/// ```swift
/// var tls = TLSSettings()
/// tls.clientIdentities = [try ClientIdentity(.pkcs12(archive, password: password), hosts: ["api.example.com"])]
/// ```
///
/// A certificate tells its owner's name to any server that it is shown to, and redirects and links can lead to any server. A server outside
/// ``hosts`` that asks for a certificate gets none, as from a client that has none. There is no default: an identity without hosts is
/// refused, and one for every host says so with `"*"`. ``PinnedKeys`` without hosts, in contrast, are for every host, since pins only restrict.
///
/// A proxy is never offered an identity. Connections with an identity are not used for hosts without it.
public struct ClientIdentity: Sendable, Hashable {
    /// The certificate and its private key.
    public let certificate: ClientCertificate
    /// The hosts that it is offered to, in lower case: `api.example.com`, `*.example.com` for all names below that one (but not for the
    /// name itself), or `*` for every host.
    public var hosts: [String] { patterns.map(\.text) }

    private let patterns: [HostPattern]

    /// Creates an identity for hosts.
    ///
    /// - Parameters:
    ///   - certificate: the certificate and its private key.
    ///   - hosts: names without scheme and port; compared without case and without a dot at the end. At least one.
    /// - Throws: `.invalidRequest` for no host at all, and for a host that is not a name.
    public init(_ certificate: ClientCertificate, hosts: [String]) throws(HTTPError) {
        guard !hosts.isEmpty else {
            throw .invalidRequest("a client certificate needs the hosts that it is offered to: name them, or use \"*\" for every host")
        }
        var patterns: [HostPattern] = []
        for host in hosts {
            guard let pattern = HostPattern(host, allowsAny: true) else {
                throw .invalidRequest(Explanation("“\(Redaction.line(host))” is not the name of a host to offer a client certificate to"))
            }
            patterns.append(pattern)
        }
        self.certificate = certificate
        self.patterns = patterns
    }

    /// Whether the certificate is offered to `host`.
    public func includes(_ host: String) -> Bool { patterns.contains { $0.includes(host) } }
}
