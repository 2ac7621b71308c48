internal import MartletEssentials
internal import MartletSystem

/// The bytes that a connection still has to pass to the kernel.
struct ServerOutput {
    enum Progress { case all, some, failed }

    private var chunks: [Data] = []
    private var offset = 0
    private var written: [OneShot<Bool>] = []

    var isEmpty: Bool { chunks.isEmpty }

    /// Appends bytes. `written` is fulfilled when all bytes so far have been passed on.
    mutating func append(_ bytes: Data, written promise: OneShot<Bool>? = nil) {
        if let promise { written.append(promise) }
        if !bytes.isEmpty { chunks.append(bytes) }
    }

    /// Passes on as many bytes as the kernel accepts.
    mutating func flush(to link: ServerLink, count: Tally) -> Progress {
        while let chunk = chunks.first {
            let transfer = chunk.withUnsafeBytes { link.send(UnsafeRawBufferPointer(rebasing: $0[offset...])) }
            switch transfer {
            case .wouldBlock: return .some
            case .failed: return .failed
            case .bytes(let sent):
                count.add(sent)
                offset += sent
                guard offset == chunk.count else { continue }
                chunks.removeFirst()
                offset = 0
            }
        }
        switch link.flush() {
        case .bytes: break
        case .wouldBlock: return .some
        case .failed: return .failed
        }
        for promise in written { promise.set(true) }
        if !written.isEmpty { written = [] }
        return .all
    }

    /// Discards all bytes and reports it to waiting senders.
    mutating func drop() {
        chunks = []
        for promise in written { promise.set(false) }
        written = []
    }
}
