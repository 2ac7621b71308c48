public import MartletEssentials

/// The certificate with which a client says who it is (mutual TLS), with its private key.
///
/// Its descriptions never show the key or the password.
@nonexhaustive public enum ClientCertificate: Sendable, Hashable {
    /// PEM: the client's certificate, followed by those that lead to its authority, and the private key.
    case pem(certificates: Data, key: Data, password: String? = nil)
    /// A PKCS #12 archive (`.p12`, `.pfx`) with certificate and key.
    case pkcs12(Data, password: String)
}

extension ClientCertificate: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// The format and how much there is of it.
    public var description: String {
        switch self {
        case .pem(let certificates, _, _): "PEM certificate (\(certificates.count) bytes) with a key"
        case .pkcs12(let archive, _): "PKCS #12 archive (\(archive.count) bytes)"
        }
    }
}
