internal import MartletEssentials
internal import MartletSystem

/// The link between a connection and its client: a socket, with or without TLS.
struct ServerLink {
    enum Arrival {
        /// All available bytes have been read.
        case open
        case ended
        case failed(String)
    }

    private let socket: StreamSocket
    private let tls: TLSSession?

    init(_ socket: StreamSocket, tls: TLSSession? = nil) {
        self.socket = socket
        self.tls = tls
    }

    var descriptor: Int32 { socket.descriptor }

    /// Whether the TLS handshake is in progress.
    var isShakingHands: Bool { tls.map { !$0.isEstablished } ?? false }

    /// The client's certificate as DER, or nil if it sent none.
    var clientCertificate: Data? { tls?.clientCertificate }

    /// Whether there are bytes that the kernel has not accepted yet.
    var hasPending: Bool { tls?.hasPending ?? false }

    /// Reads the available bytes and passes them to `take`, in order.
    func receive(_ buffer: UnsafeMutableRawBufferPointer, take: (UnsafeRawBufferPointer) -> Void) -> Arrival {
        switch socket.receive(into: buffer) {
        case .wouldBlock: return .open
        case .failed: return .failed("the connection broke")
        case .bytes(0): return .ended
        case .bytes(let count):
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            guard let tls else {
                take(bytes)
                return .open
            }
            guard tls.feed(bytes) else { return .failed("not enough memory") }
            let arrival = decrypt(tls, buffer, take)
            // The client is notified of a failure too, if it still reads.
            if case .failed = tls.flush(by: socket), case .open = arrival { return .failed("the connection broke") }
            return arrival
        }
    }

    private func decrypt(_ tls: TLSSession, _ buffer: UnsafeMutableRawBufferPointer, _ take: (UnsafeRawBufferPointer) -> Void) -> Arrival {
        while true {
            switch tls.read(into: buffer) {
            case .bytes(let count): take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            case .needsMore: return .open
            case .ended: return .ended
            case .failed(let words): return .failed(words)
            }
        }
    }

    /// Sends as many bytes as are accepted immediately.
    func send(_ bytes: UnsafeRawBufferPointer) -> StreamSocket.IOResult { tls?.send(bytes, by: socket) ?? socket.send(bytes) }

    /// Passes on bytes that were sent earlier. Returns `.bytes` when all are passed on.
    func flush() -> StreamSocket.IOResult { tls?.flush(by: socket) ?? .bytes(0) }

    /// Announces that nothing more will be sent.
    func endSending() { if let tls { tls.end(by: socket) } else { socket.endSending() } }

    /// Closes the link, with an RST if `isReset`.
    func shut(isReset: Bool) { socket.shut(isReset: isReset) }
}
