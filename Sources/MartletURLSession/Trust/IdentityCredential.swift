#if canImport(Security)
internal import Foundation
internal import MartletHTTP
internal import Security

/// Creates the credential that URLSession uses for a client certificate.
enum IdentityCredential {
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
#endif
