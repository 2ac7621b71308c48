internal import MartletEssentials
internal import MartletSystem

#if os(Linux)
internal import MartletOpenSSL

extension OpenSSL {
    /// Returns the library of the process.
    static func loaded() throws(HTTPError) -> OpenSSL {
        do throws(SystemLibrary.Unusable) { return try shared.get() } catch { throw unavailable(error) }
    }

    /// Returns the error of a server that needs TLS.
    static func unavailable(_ reason: SystemLibrary.Unusable) -> HTTPError {
        .engineUnavailable(
            Explanation("\(reason). MockServer needs it for TLS. Install it: `apt-get install libssl3` on Debian and Ubuntu"))
    }
}

#else
// Other platforms have no OpenSSL to load: a server with a certificate can't be started, and the rest is never called.

enum OpenSSL {
    static func loaded() throws(HTTPError) {
        throw .engineUnavailable("MockServer supports TLS on Linux only, with OpenSSL (the package libssl3)")
    }
}

final class TLSContext: Sendable {
    init(_ tls: MockServer.TLS) throws(HTTPError) { try OpenSSL.loaded() }

    func session() -> TLSSession? { nil }
}

final class TLSSession {
    var isEstablished: Bool { false }
    var hasPending: Bool { false }
    var clientCertificate: Data? { nil }

    func feed(_ bytes: UnsafeRawBufferPointer) -> Bool { false }
    func read(into buffer: UnsafeMutableRawBufferPointer) -> TLSReading { .ended }
    func send(_ bytes: UnsafeRawBufferPointer, by socket: StreamSocket) -> StreamSocket.IOResult { .failed(EPROTO) }
    func end(by socket: StreamSocket) {}
    func flush(by socket: StreamSocket) -> StreamSocket.IOResult { .failed(EPROTO) }
}
#endif
