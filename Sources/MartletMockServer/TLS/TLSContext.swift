#if os(Linux)
internal import CMartletMockServer

internal import MartletEssentials

/// The TLS settings that a server's connections share: its certificate and key.
final class TLSContext: @unchecked Sendable {
    // Proof: the initialiser completes the settings, and they never change afterwards. Creating sessions only counts references, which
    // OpenSSL does atomically.
    private let context: OpaquePointer
    private let library: OpenSSL
    /// Whether clients are asked for a certificate.
    let asksForClientCertificate: Bool

    /// Throws `.engineUnavailable` without OpenSSL, and `.invalidSSLCertificate` if certificate or key can't be used.
    init(_ tls: MockServer.TLS) throws(HTTPError) {
        library = try OpenSSL.shared.get()
        let (context, words) = TLSContext.make(tls, library)
        guard let context else {
            throw .invalidSSLCertificate(Explanation("MockServer can't set up TLS with this certificate and key: \(words)"))
        }
        self.context = context
        asksForClientCertificate = tls.asksForClientCertificate
    }

    deinit { ctls_context_free(library.functions, context) }

    /// Returns the session of a connection, or nil if there is not enough memory.
    func session() -> TLSSession? { ctls_session_new(library.functions, context).map { TLSSession($0, context: self) } }

    private static func make(_ tls: MockServer.TLS, _ library: OpenSSL) -> (OpaquePointer?, words: String) {
        var words: [CChar] = Array(repeating: 0, count: 300)
        let context = tls.certificate.withUnsafeBytes { certificate in
            tls.privateKey.withUnsafeBytes { key in
                ctls_context_new(
                    library.functions, certificate.baseAddress, certificate.count, key.baseAddress, key.count,
                    tls.asksForClientCertificate, &words, words.count)
            }
        }
        return (context, text(words))
    }

    static func text(_ words: [CChar]) -> String {
        String(decoding: words.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
#endif
