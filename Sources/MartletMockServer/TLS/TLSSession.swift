#if os(Linux)
internal import CMartletOpenSSL

internal import MartletEssentials
internal import MartletOpenSSL
internal import MartletSystem

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
        library = try OpenSSL.loaded()
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

/// The TLS session of a connection. It works in memory: received bytes go in, and bytes to send come out.
///
/// Only the server's thread uses it.
final class TLSSession {
    private let session: OpaquePointer
    /// Keeps the library's table alive. OpenSSL counts references to the settings itself.
    private let context: TLSContext
    /// Encrypted bytes that the kernel has not accepted yet, from `sent` on.
    private var pending: [UInt8] = []
    private var sent = 0
    private var isEnding = false

    init(_ session: OpaquePointer, context: TLSContext) {
        self.session = session
        self.context = context
    }

    deinit { ctls_session_free(session) }

    /// Whether the handshake is complete.
    var isEstablished: Bool { ctls_is_established(session) }

    /// The client's certificate as DER, or nil if it sent none.
    var clientCertificate: Data? {
        guard context.asksForClientCertificate else { return nil }
        var bytes = Data(count: 16 * 1024)
        let count = bytes.withUnsafeMutableBytes { ctls_client_certificate(session, $0.baseAddress, $0.count) }
        return count > 0 ? bytes.prefix(count) : nil
    }

    /// Whether there are bytes that the kernel has not accepted yet.
    var hasPending: Bool { sent < pending.count }

    /// Adds received bytes.
    func feed(_ bytes: UnsafeRawBufferPointer) -> Bool { ctls_feed(session, bytes.baseAddress, bytes.count) }

    /// Decrypts received bytes.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> TLSReading {
        var words: [CChar] = Array(repeating: 0, count: 200)
        let count = ctls_read(session, buffer.baseAddress, buffer.count, &words, words.count)
        // Messages of the handshake, and responses to requests that a client may send at any time.
        drain()
        switch count {
        case 1...: return .bytes(count)
        case CTLS_NEEDS_MORE.asInt: return .needsMore
        case CTLS_ENDED.asInt: return .ended
        default: return .failed(TLSContext.text(words))
        }
    }

    /// Encrypts and sends bytes in parts, so that at most one record waits here.
    func send(_ bytes: UnsafeRawBufferPointer, by socket: StreamSocket) -> StreamSocket.IOResult {
        guard case .bytes = flush(by: socket) else { return hasPending ? .wouldBlock : .failed(EPROTO) }
        guard !bytes.isEmpty else { return .bytes(0) }
        let count = ctls_write(session, bytes.baseAddress, min(bytes.count, 16 * 1024))
        guard count > 0 else { return .failed(EPROTO) }
        drain()
        if case .failed = flush(by: socket) { return .failed(EPROTO) }
        return .bytes(count)
    }

    /// Announces the end of the data, and ends sending on the socket as soon as the kernel has accepted everything.
    func end(by socket: StreamSocket) {
        ctls_end(session)
        drain()
        isEnding = true
        _ = flush(by: socket)
    }

    /// Passes on the bytes that the kernel accepts. Returns `.bytes` when all are passed on.
    func flush(by socket: StreamSocket) -> StreamSocket.IOResult {
        while hasPending {
            let transfer = pending.withUnsafeBytes { socket.send(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
            guard case .bytes(let count) = transfer else {
                if case .failed = transfer { discard() }
                return transfer
            }
            sent += count
        }
        discard()
        if isEnding {
            isEnding = false
            socket.endSending()
        }
        return .bytes(0)
    }

    private func discard() {
        pending.removeAll(keepingCapacity: true)
        sent = 0
    }

    private func drain() {
        withUnsafeTemporaryAllocation(byteCount: 20 * 1024, alignment: 16) { block in
            while true {
                let count = ctls_drain(session, block.baseAddress, block.count)
                guard count > 0 else { return }
                pending.append(contentsOf: UnsafeRawBufferPointer(rebasing: block[..<count]))
            }
        }
    }
}

extension BinaryInteger {
    /// The number as an `Int`.
    fileprivate var asInt: Int { Int(self) }
}
#endif

/// The result of decrypting received bytes.
enum TLSReading {
    case bytes(Int)
    case needsMore
    /// The client has announced the end of its data.
    case ended
    case failed(String)
}
