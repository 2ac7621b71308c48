public import MartletEssentials

/// How a transport authenticates servers and itself over TLS.
///
/// ```swift
/// var tls = TLSSettings()
/// try tls.pinKeys(sha256: [pinnedKey, backupKey], hosts: ["api.example.com"])
/// try tls.offer(.pkcs12(data, password: "s3cret"), to: ["api.example.com"])
/// ```
///
/// A transport that does not support a setting sends nothing and throws `.engineUnavailable`: settings are never ignored silently.
/// Certificates that can't be read fail with `.invalidRequest`, which names their file.
public struct TLSSettings: Sendable, Hashable {
    /// The certificate authorities that are trusted.
    @nonexhaustive public enum Trust: Sendable, Hashable {
        /// Only the authorities that the system trusts.
        case system
        /// Only the authorities in the PEM file at this path.
        case file(String)
        /// Only the authorities in these PEM certificates.
        case certificates(Data)
        /// The system's authorities and the authorities in a PEM file at this path.
        case systemAndFile(String)
        /// The system's authorities and the authorities in these PEM certificates.
        case systemAndCertificates(Data)

        /// Whether the system's authorities are trusted.
        package var includesSystem: Bool {
            switch self {
            case .system, .systemAndFile, .systemAndCertificates: true
            case .file, .certificates: false
            }
        }
    }

    /// A version of TLS.
    public enum Version: Int, Sendable, Hashable, Comparable, CaseIterable {
        /// TLS 1.2 (RFC 5246).
        case tls12 = 12
        /// TLS 1.3 (RFC 8446).
        case tls13 = 13

        /// Returns whether the left version is older.
        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// The certificate authorities that are trusted. Default: those of the system.
    public var trust: Trust
    /// The minimum TLS version. Default: TLS 1.2.
    public var minimumVersion: Version
    /// The pinned keys, each with its hosts.
    package var pinnedKeys: [PinnedKeys] = []
    /// The client certificates, each with its hosts.
    package var clientIdentities: [ClientIdentity] = []

    /// Creates settings. Each parameter has the default of its property. No key is pinned, and no client certificate is offered.
    public init(trust: Trust = .system, minimumVersion: Version = .tls12) {
        self.trust = trust
        self.minimumVersion = minimumVersion
    }

    /// Pins public keys: a server must have one of them in addition to a trusted certificate, or else connecting to it fails with
    /// `.invalidSSLCertificate`.
    ///
    /// A key is identified by the base64 of the SHA-256 of its SubjectPublicKeyInfo (RFC 7469 §2.4), which stays the same when a
    /// certificate is renewed for the same key:
    ///
    ///     openssl s_client -connect api.example.com:443 </dev/null | openssl x509 -pubkey -noout |
    ///         openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64
    ///
    /// Pin at least two keys, and keep the second one offline as a backup. If the only pinned key is lost, installed apps can't connect
    /// until they are updated. A host that several calls name may have any of their keys.
    ///
    /// - Parameters:
    ///   - sha256: The base64 of each SHA-256, optionally with curl's prefix `sha256//` or `sha256/`.
    ///   - hosts: Host names without scheme and port. `*.example.com` stands for every name below `example.com`, but not for `example.com`
    ///     itself. Case and a trailing dot are ignored. Default: empty, every host.
    /// - Throws: `.invalidRequest` if `sha256` is empty, if a pin is not the base64 of 32 bytes, or if a host is not a valid name.
    public mutating func pinKeys(sha256: [String], hosts: [String] = []) throws(HTTPError) {
        pinnedKeys.append(try PinnedKeys(sha256: sha256, hosts: hosts))
    }

    /// Removes all pins, for example to replace them, or for tests against a server of your own.
    public mutating func unpinKeys() { pinnedKeys = [] }

    /// Returns the SHA-256 digests (32 bytes each) of the keys pinned for `host`, or an empty array if the host is not pinned.
    public func pins(for host: String) -> [Data] {
        pinnedKeys.filter { $0.includes(host) }.reduce(into: []) { pins, keys in
            pins += keys.digests.filter { !pins.contains($0) }
        }
    }

    /// Offers a client certificate to hosts that request one (mutual TLS).
    ///
    /// A client certificate reveals its owner's name to every server that receives it, and redirects and links can lead to any server. A
    /// server of another host that requests a certificate receives none. `hosts` has no default: an empty list is refused, and `"*"` names
    /// every host.
    ///
    /// A host is offered the first certificate whose hosts include it. A proxy is never offered one. Connections with a certificate are not
    /// used for hosts without it.
    ///
    /// - Parameters:
    ///   - certificate: The certificate and its private key.
    ///   - hosts: At least one host name without scheme and port. `*.example.com` stands for every name below `example.com`, but not for
    ///     `example.com` itself. Case and a trailing dot are ignored.
    /// - Throws: `.invalidRequest` if `hosts` is empty, or if a host is not a valid name.
    public mutating func offer(_ certificate: ClientCertificate, to hosts: [String]) throws(HTTPError) {
        clientIdentities.append(try ClientIdentity(certificate, hosts: hosts))
    }

    /// Removes all client certificates: none is offered to any host until the next ``offer(_:to:)``.
    public mutating func withdrawCertificates() { clientIdentities = [] }

    /// Returns the client certificate to offer to `host`, or nil for none.
    public func clientCertificate(for host: String) -> ClientCertificate? {
        clientIdentityIndex(for: host).map { clientIdentities[$0].certificate }
    }

    /// Returns the index of the identity to offer to `host`, or nil for none.
    package func clientIdentityIndex(for host: String) -> Int? { clientIdentities.firstIndex { $0.includes(host) } }
}

/// The public keys of which some servers must have one. See ``TLSSettings/pinKeys(sha256:hosts:)``.
package struct PinnedKeys: Sendable, Hashable {
    /// The SHA-256 digests of the keys, 32 bytes each.
    let digests: [Data]
    /// The hosts that the keys apply to, or empty for every host.
    private let patterns: [HostPattern]

    package init(sha256: [String], hosts: [String] = []) throws(HTTPError) {
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

/// A client certificate and the hosts to which it is offered. See ``TLSSettings/offer(_:to:)``.
package struct ClientIdentity: Sendable, Hashable {
    /// The certificate and its private key.
    package let certificate: ClientCertificate
    private let patterns: [HostPattern]

    package init(_ certificate: ClientCertificate, hosts: [String]) throws(HTTPError) {
        guard !hosts.isEmpty else {
            throw .invalidRequest("a client certificate needs the hosts that it is offered to: name them, or use \"*\" for every host")
        }
        self.certificate = certificate
        patterns = try hosts.map { host throws(HTTPError) in
            if let pattern = HostPattern(host, allowsAny: true) { return pattern }
            throw .invalidRequest(Explanation("“\(Redaction.line(host))” is not a valid host name for a client certificate"))
        }
    }

    /// Returns whether the certificate is offered to `host`.
    func includes(_ host: String) -> Bool { patterns.contains { $0.includes(host) } }
}

/// The certificate and private key with which a client authenticates itself (mutual TLS).
///
/// Descriptions never show the key or the password.
@nonexhaustive public enum ClientCertificate: Sendable, Hashable {
    /// The client's certificate followed by the intermediate certificates, and the private key, both as PEM data.
    case pem(certificates: Data, key: Data, password: String? = nil)
    /// A PKCS #12 archive (`.p12`, `.pfx`) with the certificate and the private key.
    case pkcs12(Data, password: String)
}

extension ClientCertificate: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// The format and the size in bytes, without the contents.
    public var description: String {
        switch self {
        case .pem(let certificates, _, _): "PEM certificate (\(certificates.count) bytes) with a key"
        case .pkcs12(let archive, _): "PKCS #12 archive (\(archive.count) bytes)"
        }
    }
}
