internal import MartletEssentials
internal import MartletSystem

/// The way between a connection and its client: a socket, with TLS on it or not.
struct ServerLink {
    enum Arrival {
        /// All that was there has been taken.
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

    /// Whether TLS is still being agreed upon.
    var isShakingHands: Bool { tls.map { !$0.isEstablished } ?? false }

    /// The client's certificate as DER; nil if it sent none.
    var clientCertificate: Data? { tls?.clientCertificate }

    /// Whether there is something that was sent and that the kernel has not taken.
    var hasPending: Bool { tls?.hasPending ?? false }

    /// Reads what is there and hands it to `take`, in order.
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
            guard tls.feed(bytes) else { return .failed("there is no memory") }
            let arrival = decrypt(tls, buffer, take)
            // The other side is told of a failure too, if it listens.
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

    /// Sends as much as is taken at once.
    func send(_ bytes: UnsafeRawBufferPointer) -> StreamSocket.Transfer { tls?.send(bytes, by: socket) ?? socket.send(bytes) }

    /// Hands over what was sent and is still here; `.bytes` when that is all.
    func flush() -> StreamSocket.Transfer { tls?.flush(by: socket) ?? .bytes(0) }

    /// Says that nothing more will be sent.
    func endSending() { if let tls { tls.end(by: socket) } else { socket.endSending() } }

    /// Closes; with `isReset` by a RST.
    func shut(isReset: Bool) { socket.shut(isReset: isReset) }
}
