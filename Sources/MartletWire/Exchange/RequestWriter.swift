internal import MartletEngine
internal import MartletEssentials
internal import MartletHTTP
internal import MartletSystem

/// Writes one request: its head, and its body with its framing (RFC 9112 §6, §7.1). A value without I/O: a closure sends the bytes.
struct RequestWriter {
    /// A small body in memory is sent together with the head.
    private static let maxJoined = 16 * 1024
    /// The number of bytes of a file or a stream that are written together.
    private static let pieceLength = 64 * 1024
    /// The number of bytes after which other work has its turn.
    private static let perTurn = 1 << 20

    /// What became of the request.
    enum Progress {
        /// All of it is sent, or the rest of it is not wanted.
        case complete
        /// The server's permission to send the body is missing.
        case waiting
        /// The connection accepts no more bytes.
        case full
        /// The body has no bytes now. Its source announces more.
        case stalled
        /// Other work must have its turn.
        case unfinished
        /// The body can't be read.
        case failed(HTTPError)
    }

    private var output: [UInt8] = []
    /// The position in `output` of the next byte to send.
    private var next = 0
    /// The position after the last byte to send.
    private var end = 0
    /// Whether the last bytes of the request are in `output`.
    private var isAtEnd = false
    /// Whether a byte of the request has been sent.
    private(set) var hasSent = false
    /// What became of the request so far.
    private(set) var progress = Progress.complete

    /// Begins a request with its head.
    mutating func begin(_ exchange: WireExchange) -> RequestHead.Traits {
        (next, isAtEnd, hasSent) = (0, false, false)
        output.removeAll(keepingCapacity: true)
        let traits = RequestHead.write(
            exchange.request, url: exchange.url, framing: exchange.sending.framing, acceptEncoding: WireTransport.acceptEncoding,
            expectsContinue: exchange.sending.expectsContinue, to: &output)
        if exchange.sending.mayBegin, let count = exchange.sending.upload?.bufferedRest, count <= RequestWriter.maxJoined {
            _ = exchange.sending.readBuffered { body in
                output.append(contentsOf: body)
                return body.count
            }
        }
        end = output.count
        return traits
    }

    /// Writes until the request is sent, the connection accepts no more, the body has no bytes now, or other work must have its turn.
    ///
    /// - Parameter send: Returns the number of bytes that the connection has accepted.
    mutating func write(_ sending: inout WireSending, _ send: (UnsafeRawBufferPointer) -> Int) {
        var left = RequestWriter.perTurn
        while left > 0 {
            let sent: Int
            if next < end {
                sent = output.withUnsafeBytes { send(UnsafeRawBufferPointer(rebasing: $0[next..<end])) }
                next += sent
            } else if isAtEnd || sending.isAbandoned {
                sending.isComplete = isAtEnd
                return progress = .complete
            } else if let rest = sending.rest {
                guard sending.mayBegin else { return progress = .waiting }
                isAtEnd = rest == 0
                guard rest > 0 else { continue }
                sent = sending.readBuffered(send)
            } else {
                guard sending.mayBegin else { return progress = .waiting }
                guard fill(&sending) else { return }
                continue
            }
            guard sent > 0 else { return progress = .full }
            hasSent = true
            left -= sent
        }
        progress = .unfinished
    }

    /// Releases memory that a request without a large body does not need, before the connection rests.
    mutating func trim() { if output.count > RequestWriter.maxJoined * 2 { output = [] } }

    /// Puts bytes of a file or a stream into `output`. Returns false if there are none now.
    private mutating func fill(_ sending: inout WireSending) -> Bool {
        let isChunked = if case .chunks = sending.framing { true } else { false }
        // The line of the chunk's size is written before the bytes, and the end of the line after them.
        let (before, after) = isChunked ? (18, 2) : (0, 0)
        let capacity = before + RequestWriter.pieceLength + after
        if output.count < capacity { output = Array(repeating: 0, count: capacity) }
        let outcome = output.withUnsafeMutableBytes { bytes in
            sending.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[before..<capacity - after]))
        }
        (next, end) = (0, 0)
        switch outcome {
        case .bytes(0):
            isAtEnd = true
            if isChunked { putLastChunk(sending) }
        case .bytes(let count):
            (next, end) = (before, before + count)
            if isChunked { frameChunk() }
        case .stalled:
            progress = .stalled
            return false
        case .failed(let error):
            progress = .failed(error)
            return false
        }
        return true
    }

    /// Writes the size of a chunk before its bytes, and the end of the line after them.
    private mutating func frameChunk() {
        let size = Array((String(end - next, radix: 16) + "\r\n").utf8)
        output.replaceSubrange(next - size.count..<next, with: size)
        next -= size.count
        output[end] = UInt8(ascii: "\r")
        output[end + 1] = UInt8(ascii: "\n")
        end += 2
    }

    private mutating func putLastChunk(_ sending: borrowing WireSending) {
        output = Array("0\r\n".utf8)
        sending.upload?.takeTrailers().forEachLineOfBytes { name, value in
            RequestHead.append(name, value, to: &output)
        }
        output.append(contentsOf: "\r\n".utf8)
        end = output.count
    }
}
