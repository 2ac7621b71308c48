/// A client certificate and the hosts to which it is offered (mutual TLS).
///
/// ```swift
/// var tls = TLSSettings()
/// tls.clientIdentities = [try ClientIdentity(.pkcs12(data, password: "s3cret"), hosts: ["api.example.com"])]
/// ```
///
/// A client certificate reveals its owner's name to every server that receives it, and redirects and links can lead to any server. A server
/// outside ``hosts`` that requests a certificate receives none. `hosts` has no default: an identity without hosts is refused, and `"*"`
/// names every host. In contrast, ``PinnedKeys`` without hosts apply to every host, because pins only restrict.
///
/// A proxy is never offered an identity. Connections with an identity are not used for hosts without it.
public struct ClientIdentity: Sendable, Hashable {
    /// The certificate and its private key.
    public let certificate: ClientCertificate
    /// The hosts to which the certificate is offered, in lower case: `api.example.com`, `*.example.com` for every name below `example.com`
    /// but not for `example.com` itself, or `*` for every host.
    public var hosts: [String] { patterns.map(\.text) }

    private let patterns: [HostPattern]

    /// Creates an identity for hosts.
    ///
    /// - Parameters:
    ///   - certificate: the certificate and its private key.
    ///   - hosts: at least one host name without scheme and port. Case and a trailing dot are ignored.
    /// - Throws: `.invalidRequest` if `hosts` is empty, or if a host is not a valid name.
    public init(_ certificate: ClientCertificate, hosts: [String]) throws(HTTPError) {
        guard !hosts.isEmpty else {
            throw .invalidRequest("a client certificate needs the hosts that it is offered to: name them, or use \"*\" for every host")
        }
        self.certificate = certificate
        patterns = try hosts.map { host throws(HTTPError) in
            if let pattern = HostPattern(host, allowsAny: true) { return pattern }
            throw .invalidRequest(Explanation("“\(Redaction.line(host))” is not a valid host name for a client certificate"))
        }
    }

    /// Whether the certificate is offered to `host`.
    public func includes(_ host: String) -> Bool { patterns.contains { $0.includes(host) } }
}
