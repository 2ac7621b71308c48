public import MartletEssentials

/// How a transport authenticates servers and itself over TLS.
///
/// ```swift
/// var tls = TLSSettings()
/// tls.pinnedKeys = [try PinnedKeys(sha256: [pinnedKey, backupKey], hosts: ["api.example.com"])]
/// ```
///
/// A transport that does not support a setting sends nothing and throws `.engineUnavailable`: settings are never ignored silently.
/// Certificates that can't be read fail with `.invalidRequest`, which names their file.
public struct TLSSettings: Sendable, Hashable {
    /// The certificate authorities that are trusted.
    @nonexhaustive public enum Trust: Sendable, Hashable {
        /// The authorities that the system trusts.
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

        /// Returns whether a version is older than another.
        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// The certificate authorities that are trusted. Default: those of the system.
    public var trust: Trust
    /// The public keys that servers must have, in addition to a trusted certificate. Default: none, every key is accepted.
    public var pinnedKeys: [PinnedKeys]
    /// The client certificates, each with the hosts to which it is offered. Default: none.
    ///
    /// If several identities name a host, the first one is offered.
    public var clientIdentities: [ClientIdentity]
    /// The minimum TLS version. Default: TLS 1.2.
    public var minimumVersion: Version

    /// Creates settings. Each parameter has the default of its property.
    public init(
        trust: Trust = .system, pinnedKeys: [PinnedKeys] = [], clientIdentities: [ClientIdentity] = [],
        minimumVersion: Version = .tls12
    ) {
        self.trust = trust
        self.pinnedKeys = pinnedKeys
        self.clientIdentities = clientIdentities
        self.minimumVersion = minimumVersion
    }

    /// Returns the index of the identity to offer to `host`, or nil for none.
    package func clientIdentityIndex(for host: String) -> Int? { clientIdentities.firstIndex { $0.includes(host) } }

    /// Returns the SHA-256 digests (32 bytes each) of the keys pinned for `host`, or an empty array if the host is not pinned.
    public func pins(for host: String) -> [Data] {
        pinnedKeys.filter { $0.includes(host) }.reduce(into: []) { pins, keys in
            pins += keys.digests.filter { !pins.contains($0) }
        }
    }
}
