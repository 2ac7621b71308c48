#if canImport(Security)
internal import CryptoKit
internal import Foundation
internal import MartletHTTP
internal import Security

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
        default: return .giveBack
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
#endif
