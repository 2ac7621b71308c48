internal import Foundation
internal import MartletHTTP

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif
#if canImport(Security)
internal import CryptoKit
internal import Security
#endif

/// The response to a challenge of the connection.
enum ChallengeDisposition {
    /// The system's default handling.
    case system
    case use(URLCredential)
    case refuse(HTTPError)
    /// Declines the challenge. The server's response is passed on to the caller.
    case decline
}

#if canImport(Security)
/// The decisions about server trust and client identities, made with Apple's Security framework.
struct TrustPolicy: Sendable {
    private let settings: TLSSettings
    /// The additional or only trusted certificates, as DER; nil if only the system's are trusted.
    private let anchors: [Data]?
    private let trustsSystem: Bool
    /// The client credentials, in the order of the settings' identities.
    private let credentials: [URLCredential]

    /// Throws `.invalidRequest` if certificates cannot be read, and `.engineUnavailable` for a client certificate in PEM, which Security
    /// cannot combine with its key.
    init(_ settings: TLSSettings) throws(HTTPError) {
        self.settings = settings
        anchors = try TrustPolicy.anchors(of: settings.trust)
        trustsSystem = settings.trust.includesSystem
        credentials = try settings.clientIdentities.map { identity throws(HTTPError) in
            try IdentityCredential.credential(of: identity.certificate)
        }
    }

    func configure(_ configuration: URLSessionConfiguration) {
        configuration.tlsMinimumSupportedProtocolVersion = settings.minimumVersion == .tls13 ? .TLSv13 : .TLSv12
    }

    func answer(to challenge: URLAuthenticationChallenge) -> ChallengeDisposition {
        let space = challenge.protectionSpace
        switch space.authenticationMethod {
        case NSURLAuthenticationMethodServerTrust: return answer(about: space.serverTrust, host: space.host)
        case NSURLAuthenticationMethodClientCertificate:
            // Without an identity for the host, the system's default applies. A proxy never gets the identity of a host.
            let index = space.isProxy() ? nil : settings.clientIdentityIndex(for: space.host)
            return index.map { .use(credentials[$0]) } ?? .system
        default: return .decline
        }
    }

    private func answer(about trust: SecTrust?, host: String) -> ChallengeDisposition {
        let pins = settings.pins(for: host)
        guard anchors != nil || !pins.isEmpty else { return .system }
        guard let trust else { return .refuse(refusal("the server sent no certificate")) }
        if let anchors {
            SecTrustSetAnchorCertificates(trust, anchors.compactMap { SecCertificateCreateWithData(nil, $0 as CFData) } as CFArray)
            SecTrustSetAnchorCertificatesOnly(trust, !trustsSystem)
        }
        // A pinned key does not replace a trusted certificate.
        var problem: CFError?
        guard SecTrustEvaluateWithError(trust, &problem) else {
            return .refuse(refusal("the certificate of \(host) is not trusted", cause: problem))
        }
        if !pins.isEmpty {
            guard let key = SecTrustCopyKey(trust), let digest = TrustPolicy.digest(of: key) else {
                return .refuse(refusal("the public key of \(host) has a type that can't be pinned: use RSA, P-256, P-384 or P-521"))
            }
            guard pins.contains(digest) else {
                return .refuse(refusal("the public key of \(host) is not pinned: sha256//\(digest.base64EncodedString())"))
            }
        }
        return .use(URLCredential(trust: trust))
    }

    /// Returns the SHA-256 of a key's SubjectPublicKeyInfo, or nil for an unknown kind of key.
    private static func digest(of key: SecKey) -> Data? {
        let known: Any? = SecKeyCopyAttributes(key)
        guard let attributes = known as? [String: Any], let type = attributes[kSecAttrKeyType as String] as? String,
            let bits = attributes[kSecAttrKeySizeInBits as String] as? Int, let bytes = SecKeyCopyExternalRepresentation(key, nil) as Data?
        else { return nil }
        let kind: PublicKeyInfo.Kind
        if type == kSecAttrKeyTypeRSA as String {
            kind = .rsa
        } else if type == kSecAttrKeyTypeECSECPrimeRandom as String {
            kind = .ellipticCurve(bits: bits)
        } else {
            return nil
        }
        return PublicKeyInfo.der(kind, key: bytes).map { Data(SHA256.hash(data: $0)) }
    }

    private static func anchors(of trust: TLSSettings.Trust) throws(HTTPError) -> [Data]? {
        let text: Data
        var file = ""
        switch trust {
        case .system: return nil
        case .certificates(let pem), .systemAndCertificates(let pem): text = pem
        case .file(let path), .systemAndFile(let path):
            file = " (\(Redaction.line(path)))"
            do { text = try Data(contentsOf: URL(fileURLWithPath: path)) } catch {
                throw .invalidRequest(
                    Explanation("the certificates to trust can't be read\(file)", context: ErrorContext(underlying: error)))
            }
        @unknown default: throw .engineUnavailable("URLSession does not support this kind of trust")
        }
        guard let certificates = PEM.certificates(in: text), !certificates.isEmpty,
            certificates.allSatisfy({ SecCertificateCreateWithData(nil, $0 as CFData) != nil })
        else { throw .invalidRequest(Explanation("the certificates to trust are missing or not in PEM format\(file)")) }
        return certificates
    }

    private func refusal(_ words: String, cause: (any Error)? = nil) -> HTTPError {
        .invalidSSLCertificate(Explanation(words, context: ErrorContext(stage: .connect, underlying: cause)))
    }
}

/// Creates the credential that URLSession uses for a client certificate.
private enum IdentityCredential {
    static func credential(of certificate: ClientCertificate) throws(HTTPError) -> URLCredential {
        switch certificate {
        case .pkcs12(let archive, let password): return try credential(archive: archive, password: password)
        default:
            throw .engineUnavailable(
                "URLSession needs client certificates as PKCS #12: openssl pkcs12 -export -in cert.pem -inkey key.pem -out client.p12"
            )
        }
    }

    private static func credential(archive: Data, password: String) throws(HTTPError) -> URLCredential {
        var items: CFArray?
        let options = [kSecImportExportPassphrase as String: password] as CFDictionary
        let status = SecPKCS12Import(archive as CFData, options, &items)
        guard status == errSecSuccess, let item = (items as? [[String: Any]])?.first,
            let identity = item[kSecImportItemIdentity as String]
        else { throw .invalidRequest(Explanation("the PKCS #12 archive of the client certificate can't be read (OSStatus \(status))")) }
        let chain = item[kSecImportItemCertChain as String] as? [SecCertificate] ?? []
        // Proof: the value of this key is a SecIdentity. A conditional cast to a Core Foundation type always succeeds, so it checks
        // nothing.
        // swift-format-ignore: NeverForceUnwrap
        let known = identity as! SecIdentity
        return URLCredential(identity: known, certificates: Array(chain.dropFirst()), persistence: .forSession)
    }
}
#else
/// The decisions about challenges on Linux, where FoundationNetworking reports only HTTP authentication.
struct TrustPolicy: Sendable {
    /// Throws `.engineUnavailable` for any setting other than the default, because FoundationNetworking supports none.
    init(_ settings: TLSSettings) throws(HTTPError) {
        guard settings == TLSSettings() else {
            throw .engineUnavailable(
                "URLSession on Linux does not support TLS settings (certificates, pinned keys, versions): use CurlTransport")
        }
    }

    func configure(_ configuration: URLSessionConfiguration) {}

    func answer(to challenge: URLAuthenticationChallenge) -> ChallengeDisposition { .decline }
}
#endif
