public import MartletEssentials

#if os(Linux)
internal import MartletOpenSSL
#endif

extension MockServer {
    /// The certificate and key with which a server uses TLS.
    ///
    /// ```swift
    /// var options = MockServer.Options()
    /// options.tls = .localhost
    /// let server = try await MockServer.start(options: options)  // https://127.0.0.1:PORT/
    /// var configuration = CurlTransport.Configuration()  // import MartletCurl
    /// configuration.tls.trust = .certificates(MockServer.TLS.localhost.certificate)
    /// ```
    ///
    /// The server uses the system's OpenSSL, loaded when it starts: TLS 1.2 or 1.3, with `http/1.1` by ALPN (RFC 7301).
    public struct TLS: Sendable {
        /// The certificates as PEM, with the server's own first, followed by the intermediate certificates.
        public let certificate: Data
        let privateKey: Data
        /// Whether the server requests a client certificate (mutual TLS), without requiring one. Default: false.
        ///
        /// Any certificate or none is accepted. The client's certificate is in ``RecordedRequest/clientCertificate``.
        public var asksForClientCertificate = false

        /// Creates the settings from a certificate and its key as PEM, which are checked when a server starts. The key must not be
        /// encrypted with a password.
        ///
        /// A key with a password fails when the server starts.
        public init(certificate: Data, privateKey: Data) {
            self.certificate = certificate
            self.privateKey = privateKey
        }

        /// Creates the settings from PEM files with a certificate and its key.
        ///
        /// - Throws: `.invalidSSLCertificate` if a file can't be read.
        public init(certificateFile: String, privateKeyFile: String) throws(HTTPError) {
            self.init(certificate: try TLS.contents(certificateFile), privateKey: try TLS.contents(privateKeyFile))
        }

        /// A certificate for `localhost`, 127.0.0.1 and ::1 with its key, valid until 2126, for tests that need https.
        ///
        /// Its key is public, because it is in this package's source. Trust the ``certificate`` only in a client under test. It can't sign
        /// other certificates.
        public static var localhost: Self { Self(certificate: Data(localhostCertificate.utf8), privateKey: Data(localhostKey.utf8)) }

        /// Whether servers can use TLS on this machine because OpenSSL is available, for the trait `.enabled(if:)` of a test.
        public static var isAvailable: Bool { (try? OpenSSL.loaded()) != nil }

        private static func contents(_ path: String) throws(HTTPError) -> Data {
            do { return try Data(contentsOf: URL(fileURLWithPath: path)) } catch {
                throw .invalidSSLCertificate(Explanation("MockServer can't read \(path)"))
            }
        }
    }

    /// The failed TLS handshakes so far, in order, of clients that do not trust the certificate, do not use TLS, or disconnected.
    ///
    /// Each closed only its own connection, whose number on the server counts from 1. The reason is in OpenSSL's words, or says that the
    /// client disconnected; the text differs between versions, so don't compare it in tests.
    public var failedHandshakes: [(connection: Int, reason: String)] { control.failedHandshakes.values }

    /// Waits until `count` TLS handshakes have failed, without a time limit, and returns the first `count`.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    @discardableResult
    public func waitForFailedHandshakes(_ count: Int = 1) async throws(CancellationError) -> [(connection: Int, reason: String)] {
        try await control.failedHandshakes.first(count)
    }
}

extension MockServer.TLS: CustomStringConvertible, CustomReflectable, RedactedReflection {
    /// The sizes of the certificate and the private key in bytes, without their contents.
    public var description: String { "TLS with a certificate of \(certificate.count) bytes and a key of \(privateKey.count)" }
}

// Created with OpenSSL 3.0: `openssl ecparam -name prime256v1 -genkey -noout | openssl pkcs8 -topk8 -nocrypt` for the key, and
// `openssl ca -selfsign -startdate 20200101000000Z -enddate 21260101000000Z` for the certificate, with the extensions
// basicConstraints=critical,CA:FALSE, subjectAltName=DNS:localhost,IP:127.0.0.1,IP:::1, keyUsage=critical,digitalSignature and
// extendedKeyUsage=serverAuth.
private let localhostCertificate = """
    -----BEGIN CERTIFICATE-----
    MIIBzzCCAXWgAwIBAgIBATAKBggqhkjOPQQDAjAtMSswKQYDVQQDDCJNYXJ0bGV0
    IE1vY2tTZXJ2ZXIsIGZvciB0ZXN0cyBvbmx5MCAXDTIwMDEwMTAwMDAwMFoYDzIx
    MjYwMTAxMDAwMDAwWjAtMSswKQYDVQQDDCJNYXJ0bGV0IE1vY2tTZXJ2ZXIsIGZv
    ciB0ZXN0cyBvbmx5MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEjffK9FS9LfBb
    VosAylS2CF3ZSGLFimtPWMkEA1KoJ7GNu873nXtMyAL3YdoEFUr/KAeoJc6re36A
    8U920JmYjaOBgzCBgDAMBgNVHRMBAf8EAjAAMCwGA1UdEQQlMCOCCWxvY2FsaG9z
    dIcEfwAAAYcQAAAAAAAAAAAAAAAAAAAAATAOBgNVHQ8BAf8EBAMCB4AwEwYDVR0l
    BAwwCgYIKwYBBQUHAwEwHQYDVR0OBBYEFKa9JwJRTBZndQuY7EPIBD08MMs5MAoG
    CCqGSM49BAMCA0gAMEUCIBcieBWt7RzCRewpJg/zK+3G53Op9DQsdIqFrEk24wBV
    AiEA/q+yyBywT/ok8f5vZaTnlbzMD63BTWjpltz4yDuhrgA=
    -----END CERTIFICATE-----
    """

private let localhostKey = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgUWKB5TQzVUqRvD+m
    hBhBLnl13OWhyUQQraRN/SvUT2+hRANCAASN98r0VL0t8FtWiwDKVLYIXdlIYsWK
    a09YyQQDUqgnsY27zvede0zIAvdh2gQVSv8oB6glzqt7foDxT3bQmZiN
    -----END PRIVATE KEY-----
    """
