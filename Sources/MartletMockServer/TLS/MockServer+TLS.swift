public import MartletEssentials

extension MockServer {
    /// The certificate with which a server speaks TLS, and its key.
    ///
    /// ```swift
    /// var options = MockServer.Options()
    /// options.tls = .localhost
    /// let server = try await MockServer.start(options: options)  // https://127.0.0.1:PORT/
    /// var configuration = CurlTransport.Configuration()  // import MartletCurl
    /// configuration.tls.trust = .certificates(MockServer.TLS.localhost.certificate)
    /// ```
    ///
    /// TLS is that of the system's OpenSSL, found when the server starts: 1.2 or 1.3, with `http/1.1` by ALPN (RFC 7301).
    public struct TLS: Sendable {
        /// The certificates, as PEM: the server's own first, after it those between it and its authority.
        public let certificate: Data
        let privateKey: Data
        /// Whether the server requests a client certificate (mutual TLS). Default: false. Any certificate or none is accepted. A
        /// certificate that a client sends is in ``RecordedRequest/clientCertificate``.
        public var asksForClientCertificate = false

        /// A certificate and its key as PEM; the key must not be locked by a password.
        ///
        /// Whether the two can be read and belong together is seen when a server starts.
        public init(certificate: Data, privateKey: Data) {
            self.certificate = certificate
            self.privateKey = privateKey
        }

        /// A certificate and its key in files of PEM, at these paths.
        ///
        /// Throws `.invalidSSLCertificate` when one of them can't be read.
        public init(certificateFile: String, privateKeyFile: String) throws(HTTPError) {
            self.init(certificate: try TLS.contents(certificateFile), privateKey: try TLS.contents(privateKeyFile))
        }

        /// Whether servers can speak TLS here: whether OpenSSL is there. For `.enabled(if: MockServer.TLS.isAvailable)` on a test.
        public static var isAvailable: Bool { if case .success = OpenSSL.shared { true } else { false } }

        private static func contents(_ path: String) throws(HTTPError) -> Data {
            do { return try Data(contentsOf: URL(fileURLWithPath: path)) } catch {
                throw .invalidSSLCertificate(Explanation("MockServer can't read \(path)"))
            }
        }
    }

    /// A connection that did not come to speak TLS.
    public struct FailedHandshake: Sendable, Hashable, CustomStringConvertible {
        /// Which of the server's connections it was, counted from 1.
        public let connection: Int
        /// Why, in OpenSSL's words, or that the client went: for reading, not for comparing, as they change between versions.
        public let reason: String

        /// `connection 2: tlsv1 alert unknown ca`
        public var description: String { "connection \(connection): \(reason)" }
    }

    /// The handshakes that failed so far, in order: of clients that do not trust the certificate, that speak no TLS, that went.
    ///
    /// Each closed its own connection and no other.
    public var failedHandshakes: [FailedHandshake] { control.failedHandshakes.values }

    /// The first `count` handshakes that failed, as soon as there are so many.
    ///
    /// Throws `CancellationError` when the task is cancelled before.
    @discardableResult
    public func waitForFailedHandshakes(_ count: Int = 1) async throws(CancellationError) -> [FailedHandshake] {
        try await control.failedHandshakes.first(count)
    }
}

extension MockServer.TLS: CustomStringConvertible, CustomReflectable, RedactedReflection {
    /// How large the two are: the key is not for printing.
    public var description: String { "TLS with a certificate of \(certificate.count) bytes and a key of \(privateKey.count)" }
}
