#if !os(Linux)
internal import MartletEssentials
internal import MartletSystem

// Other platforms have no OpenSSL to load: a server with a certificate can't be started, and the rest is never called.

enum OpenSSL {
    static var shared: Result<Void, HTTPError> {
        .failure(.engineUnavailable("MockServer supports TLS on Linux only, with OpenSSL (the package libssl3)"))
    }
}

final class TLSContext: Sendable {
    init(_ tls: MockServer.TLS) throws(HTTPError) { try OpenSSL.shared.get() }

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
