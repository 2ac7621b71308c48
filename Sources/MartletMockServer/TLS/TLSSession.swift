#if os(Linux)
internal import CMartletMockServer

internal import MartletEssentials
internal import MartletSystem

/// A connection's TLS, which happens in memory: what the socket receives goes in, what it is to send comes out.
///
/// Touched by the server's thread only.
final class TLSSession {
    private let session: OpaquePointer
    /// OpenSSL counts for itself who uses the settings; this one keeps the library's table.
    private let context: TLSContext
    /// Encrypted and not taken by the kernel yet, from `sent` on.
    private var pending: [UInt8] = []
    private var sent = 0
    private var isEnding = false

    init(_ session: OpaquePointer, context: TLSContext) {
        self.session = session
        self.context = context
    }

    deinit { ctls_session_free(session) }

    /// Whether client and server have agreed.
    var isEstablished: Bool { ctls_is_established(session) }

    /// The client's certificate as DER; nil if it sent none.
    var clientCertificate: Data? {
        guard context.asksForClientCertificate else { return nil }
        var bytes = Data(count: 16 * 1024)
        let count = bytes.withUnsafeMutableBytes { ctls_client_certificate(session, $0.baseAddress, $0.count) }
        return count > 0 ? bytes.prefix(count) : nil
    }

    /// Whether there is something that the kernel has not taken yet.
    var hasPending: Bool { sent < pending.count }

    /// Takes in what the socket received.
    func feed(_ bytes: UnsafeRawBufferPointer) -> Bool { ctls_feed(session, bytes.baseAddress, bytes.count) }

    /// Decrypts what has been taken in.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> TLSReading {
        var words: [CChar] = Array(repeating: 0, count: 200)
        let count = ctls_read(session, buffer.baseAddress, buffer.count, &words, words.count)
        // Handshakes, and answers to what the client may ask at any time.
        drain()
        switch count {
        case 1...: return .bytes(count)
        case CTLS_NEEDS_MORE.asInt: return .needsMore
        case CTLS_ENDED.asInt: return .ended
        default: return .failed(TLSContext.text(words))
        }
    }

    /// Encrypts and sends. A part at a time, so that no more waits here than one record.
    func send(_ bytes: UnsafeRawBufferPointer, by socket: StreamSocket) -> StreamSocket.Transfer {
        guard case .bytes = flush(by: socket) else { return hasPending ? .wouldBlock : .failed(EPROTO) }
        guard !bytes.isEmpty else { return .bytes(0) }
        let count = ctls_write(session, bytes.baseAddress, min(bytes.count, 16 * 1024))
        guard count > 0 else { return .failed(EPROTO) }
        drain()
        if case .failed = flush(by: socket) { return .failed(EPROTO) }
        return .bytes(count)
    }

    /// Says that nothing more will be sent, and ends the socket's side as soon as the kernel has taken it.
    func end(by socket: StreamSocket) {
        ctls_end(session)
        drain()
        isEnding = true
        _ = flush(by: socket)
    }

    /// Hands over what the kernel takes; `.bytes` when that is all.
    func flush(by socket: StreamSocket) -> StreamSocket.Transfer {
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
    /// As Swift counts.
    fileprivate var asInt: Int { Int(self) }
}
#endif
