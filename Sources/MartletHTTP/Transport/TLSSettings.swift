public import MartletEssentials

/// How a transport makes sure whom it speaks to over TLS, and says who it is itself.
///
/// ```swift
/// var tls = TLSSettings()
/// tls.pinnedKeys = [try PinnedKeys(sha256: [current, backup], hosts: ["api.example.com"])]
/// ```
///
/// A transport that can't do what is asked for here sends nothing and throws `.engineUnavailable`: settings are never left out silently.
/// Certificates that can't be read fail with `.invalidRequest`, which names their file.
public struct TLSSettings: Sendable, Hashable {
    /// Whose certificates are trusted.
    @nonexhaustive public enum Trust: Sendable, Hashable {
        /// Those of the authorities that the system trusts.
        case system
        /// Those of the authorities in a file of PEM certificates, at this path, in place of the system's.
        case file(String)
        /// Those of the authorities in these PEM certificates, in place of the system's.
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

        /// Whether one is older than the other.
        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// Whose certificates are trusted. Default: the system's authorities.
    public var trust: Trust
    /// The keys that servers must have, besides a certificate that is trusted. Default: none, any key will do.
    public var pinnedKeys: [PinnedKeys]
    /// The client certificates, each with the hosts to which it is offered. Default: none.
    ///
    /// If several identities name a host, the first one is offered.
    public var clientIdentities: [ClientIdentity]
    /// The oldest version of TLS that is spoken. Default: TLS 1.2.
    public var minimumVersion: Version

    /// The settings, each with its default.
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

    /// The SHA-256 of each key that `host` may have, 32 bytes each, from all ``pinnedKeys`` that name it; empty when it is not pinned.
    public func pins(for host: String) -> [Data] {
        pinnedKeys.filter { $0.includes(host) }.reduce(into: []) { pins, keys in
            pins += keys.digests.filter { !pins.contains($0) }
        }
    }
}
