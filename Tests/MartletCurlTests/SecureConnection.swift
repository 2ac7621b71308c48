import CMartletOpenSSL
import Foundation
import MartletOpenSSL
import TestSupport

@testable import MartletMockServer

/// The server's side of TLS on a connection of a ``RawServer``, with the certificate of `MockServer.TLS.localhost`. The test determines the
/// records.
final class SecureConnection {
    private static let wantsRead: Int32 = 2

    private let connection: RawServer.Connection
    private let tls: ctls_functions
    private let context, session, input, output: UnsafeMutableRawPointer

    /// - Parameter isHTTP2: whether the server selects `h2` by ALPN (RFC 7301). Otherwise it ignores ALPN.
    init?(_ connection: RawServer.Connection, isHTTP2: Bool = false) {
        guard let tls = try? OpenSSL.shared.get().functions.pointee, let context = SecureConnection.context(tls, isHTTP2: isHTTP2),
            let session = tls.ssl_new(context), let input = tls.bio_new(tls.memory_method()), let output = tls.bio_new(tls.memory_method())
        else { return nil }
        (self.connection, self.tls, self.context, self.session) = (connection, tls, context, session)
        (self.input, self.output) = (input, output)
        tls.set_bio(session, input, output)
        tls.set_accept_state(session)
    }

    deinit {
        tls.ssl_free(session)
        tls.ctx_free(context)
    }

    private static func context(_ tls: ctls_functions, isHTTP2: Bool) -> UnsafeMutableRawPointer? {
        guard let context = tls.ctx_new(tls.server_method()) else { return nil }
        with(MockServer.TLS.localhost.certificate, tls) { file in
            let certificate = tls.read_certificate(file, nil, nil, nil)
            _ = tls.ctx_use_certificate(context, certificate)
            tls.certificate_free(certificate)
        }
        with(MockServer.TLS.localhost.privateKey, tls) { file in
            let key = tls.read_key(file, nil, nil, nil)
            _ = tls.ctx_use_key(context, key)
            tls.key_free(key)
        }
        if isHTTP2 {
            tls.ctx_set_alpn(
                context,
                { _, name, length, _, _, _ in
                    let chosen: StaticString = "h2"
                    name?.pointee = chosen.utf8Start
                    length?.pointee = UInt8(chosen.utf8CodeUnitCount)
                    return 0
                }, nil)
        }
        return context
    }

    private static func with(_ pem: Data, _ tls: ctls_functions, _ use: (UnsafeMutableRawPointer?) -> Void) {
        pem.withUnsafeBytes { bytes in
            let file = tls.bio_new_memory(bytes.baseAddress, Int32(bytes.count))
            use(file)
            _ = tls.bio_free(file)
        }
    }

    /// Reads the bytes that the client sends next. Returns nil at the end of the connection.
    func read() -> Data? {
        var bytes = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            let count = tls.read(session, &bytes, Int32(bytes.count))
            // Messages of the handshake.
            flush()
            if count > 0 { return Data(bytes.prefix(Int(count))) }
            guard tls.get_error(session, count) == SecureConnection.wantsRead, let received = connection.readSome() else { return nil }
            _ = received.withUnsafeBytes { tls.bio_write(input, $0.baseAddress, Int32($0.count)) }
        }
    }

    /// Sends all parts in one write, each in a TLS record of its own if it has at most 16 KiB.
    func send(_ parts: Data...) {
        for part in parts { _ = part.withUnsafeBytes { tls.write(session, $0.baseAddress, Int32($0.count)) } }
        flush()
    }

    private func flush() {
        var pending = Data(), bytes = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            let count = tls.bio_read(output, &bytes, Int32(bytes.count))
            guard count > 0 else { break }
            pending.append(contentsOf: bytes.prefix(Int(count)))
        }
        if !pending.isEmpty { connection.send(pending) }
    }
}
