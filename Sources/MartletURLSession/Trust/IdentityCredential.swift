#if canImport(Security)
internal import Foundation
internal import MartletHTTP
internal import Security

/// A client certificate as the credential that URLSession shows.
enum IdentityCredential {
    static func credential(of certificate: ClientCertificate) throws(HTTPError) -> URLCredential {
        switch certificate {
        case .pkcs12(let archive, let password): return try credential(archive: archive, password: password)
        default:
            throw .engineUnavailable(
                "URLSession takes client certificates as PKCS #12 only: openssl pkcs12 -export -in cert.pem -inkey key.pem -out client.p12")
        }
    }

    private static func credential(archive: Data, password: String) throws(HTTPError) -> URLCredential {
        var items: CFArray?
        let options = [kSecImportExportPassphrase as String: password] as CFDictionary
        let status = SecPKCS12Import(archive as CFData, options, &items)
        guard status == errSecSuccess, let item = (items as? [[String: Any]])?.first,
            let identity = item[kSecImportItemIdentity as String]
        else { throw .invalidRequest(Explanation("the client certificate's archive can't be read (OSStatus \(status))")) }
        let chain = item[kSecImportItemCertChain as String] as? [SecCertificate] ?? []
        // Proof: what stands under this key is a SecIdentity; a type of Core Foundation can't be asked.
        // swift-format-ignore: NeverForceUnwrap
        let known = identity as! SecIdentity
        return URLCredential(identity: known, certificates: Array(chain.dropFirst()), persistence: .forSession)
    }
}
#endif
