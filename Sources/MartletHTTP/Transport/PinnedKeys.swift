public import MartletEssentials

/// The public keys of which some servers must have one, or else connecting to them fails with `.invalidSSLCertificate`.
///
/// A key is identified by the base64 of the SHA-256 of its SubjectPublicKeyInfo (RFC 7469 §2.4), which stays the same when a certificate
/// is renewed for the same key:
///
///     openssl s_client -connect api.example.com:443 </dev/null | openssl x509 -pubkey -noout |
///         openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64
///
/// Pin at least two keys, and keep the second one offline as a backup. If the only pinned key is lost, installed apps can't connect until
/// they are updated.
public struct PinnedKeys: Sendable, Hashable {
    /// The SHA-256 digests of the keys, 32 bytes each.
    public let digests: [Data]
    /// The hosts that the keys apply to, in lower case, as names such as `api.example.com` and `*.example.com`, or empty for every host.
    /// `*.example.com` stands for every name below `example.com`, but not for `example.com` itself.
    public var hosts: [String] { patterns.map(\.text) }

    private let patterns: [HostPattern]

    /// Creates pins from the digests of keys, for the given hosts or for all.
    ///
    /// - Parameters:
    ///   - sha256: The base64 of each SHA-256, optionally with curl's prefix `sha256//` or `sha256/`.
    ///   - hosts: Host names without scheme and port. Case and a trailing dot are ignored. Default: empty, every host.
    /// - Throws: `.invalidRequest` if there is no pin, if a pin is not the base64 of 32 bytes, or if a host is not a valid name.
    public init(sha256: [String], hosts: [String] = []) throws(HTTPError) {
        digests = try sha256.map { text throws(HTTPError) in
            if let digest = Data(base64Encoded: PinnedKeys.withoutPrefix(text)), digest.count == 32 { return digest }
            throw .invalidRequest(Explanation("the pinned key “\(text)” is not the base64 of a SHA-256, which has 32 bytes"))
        }
        guard !digests.isEmpty else { throw .invalidRequest("the list of pinned keys is empty") }
        patterns = try hosts.map { host throws(HTTPError) in
            if let pattern = HostPattern(host) { return pattern }
            throw .invalidRequest(Explanation("the pinned host “\(host)” is not a valid host name"))
        }
    }

    /// Whether the pins apply to `host`.
    func includes(_ host: String) -> Bool { patterns.isEmpty || patterns.contains { $0.includes(host) } }

    private static func withoutPrefix(_ text: String) -> String {
        for prefix in ["sha256//", "sha256/"] where text.hasPrefix(prefix) { return String(text.dropFirst(prefix.count)) }
        return text
    }
}
