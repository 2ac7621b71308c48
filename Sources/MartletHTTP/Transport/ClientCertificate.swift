public import MartletEssentials

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
