#if !os(Linux)
internal import MartletEssentials
internal import MartletSystem

// Elsewhere there is no OpenSSL to bind: a server with a certificate can't be started, and nothing of this is ever asked anything.

enum OpenSSL {
    static var shared: Result<Void, HTTPError> {
        .failure(.engineUnavailable("MockServer speaks TLS on Linux only, where it is OpenSSL's (the package libssl3)"))
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
    func send(_ bytes: UnsafeRawBufferPointer, by socket: StreamSocket) -> StreamSocket.Transfer { .failed(EPROTO) }
    func end(by socket: StreamSocket) {}
    func flush(by socket: StreamSocket) -> StreamSocket.Transfer { .failed(EPROTO) }
}
#endif
