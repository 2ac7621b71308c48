public import MartletEssentials

/// The public keys that some servers must have: a connection to one that has none of them is refused as `.invalidSSLCertificate`.
///
/// A key is named by the base64 of the SHA-256 of its SubjectPublicKeyInfo (RFC 7469 §2.4), which stays the same when a certificate is
/// renewed for the same key:
///
///     openssl s_client -connect api.example.com:443 </dev/null | openssl x509 -pubkey -noout |
///         openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64
///
/// Give two at least, the second of a key that is kept elsewhere: an app whose only pin is lost can't be reached by an update either.
public struct PinnedKeys: Sendable, Hashable {
    /// The SHA-256 of each key, 32 bytes.
    public let digests: [Data]
    /// Which hosts they are for, in lower case: `api.example.com`, or `*.example.com` for whatever is below that name (but not for the
    /// name itself); empty for every host.
    public var hosts: [String] { patterns.map(\.text) }

    private let patterns: [HostPattern]

    /// Keys for hosts.
    ///
    /// Throws `.invalidRequest` for no pin at all, for a pin that is not the base64 of 32 bytes, and for a host that is no name.
    ///
    /// - Parameters:
    ///   - sha256: base64, also with curl's prefix `sha256//` or `sha256/`.
    ///   - hosts: names without scheme and port; compared without case and without a dot at the end. Empty: every host.
    public init(sha256: [String], hosts: [String] = []) throws(HTTPError) {
        digests = try sha256.map { text throws(HTTPError) in
            if let digest = Data(base64Encoded: PinnedKeys.withoutPrefix(text)), digest.count == 32 { return digest }
            throw .invalidRequest(Explanation("the pinned key “\(text)” is not the base64 of a SHA-256, which has 32 bytes"))
        }
        guard !digests.isEmpty else { throw .invalidRequest("there is no key among the pinned keys") }
        patterns = try hosts.map { host throws(HTTPError) in
            if let pattern = HostPattern(host) { return pattern }
            throw .invalidRequest(Explanation("the pinned host “\(host)” is not the name of a host"))
        }
    }

    /// Whether these keys are for `host`.
    func includes(_ host: String) -> Bool { patterns.isEmpty || patterns.contains { $0.includes(host) } }

    private static func withoutPrefix(_ text: String) -> String {
        for prefix in ["sha256//", "sha256/"] where text.hasPrefix(prefix) { return String(text.dropFirst(prefix.count)) }
        return text
    }
}
