internal import MartletSystem

/// Parses HTTP/1.1 requests (RFC 9112) from bytes in pieces of any size, and returns events. It has no other effects.
///
/// It is stricter than most servers, to reveal mistakes of clients: it refuses bare line feeds, folded lines, white space before a colon,
/// and contradictory lengths. After a refusal it returns no more events.
struct RequestParser {
    enum Event {
        case head(RequestHead)
        case body(ArraySlice<UInt8>)
        case end(trailers: HTTPFields)
        case refused(RequestRefusal)
    }

    private enum State {
        case requestLine
        case fieldLine
        case fixed(left: Int)
        case chunkSize
        case chunk(left: Int)
        case chunkEnd
        case trailerLine
        case end
        case refused
    }

    private let headLimit: Int
    private let bodyLimit: Int
    private var buffer: [UInt8] = []
    /// The position of the next byte to read.
    private var position = 0
    /// The position up to which no unread line ending was found.
    private var scanned = 0
    /// The start of the current head, chunk line or trailer section.
    private var start = 0
    private var bodyBytes = 0
    private var head = RequestHead()
    private var trailers: HTTPFields = [:]
    private var state = State.requestLine

    init(headLimit: Int = 64 * 1024, bodyLimit: Int = 100_000_000) {
        self.headLimit = headLimit
        self.bodyLimit = bodyLimit
    }

    /// The number of received bytes that have not been read.
    var unread: Int { buffer.count - position }

    /// Whether no byte of a request has arrived yet.
    var isBetweenRequests: Bool { if case .requestLine = state { unread == 0 } else { false } }

    /// Adds received bytes.
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        compact()
        buffer.append(contentsOf: bytes)
    }

    /// Removes and returns the bytes after the last request that was read, which belong to another protocol.
    mutating func takeUnread() -> ArraySlice<UInt8> {
        defer { (buffer, position, scanned, start) = ([], 0, 0, 0) }
        return buffer[position...]
    }

    /// Returns the next event, or nil if more bytes are needed.
    mutating func next() -> Event? {
        do throws(RequestRefusal) {
            while true {
                switch try step() {
                case .event(let event): return event
                case .again: continue
                case .needsMore: return nil
                }
            }
        } catch {
            state = .refused
            return .refused(error)
        }
    }

    private enum Outcome {
        case event(Event)
        case again
        case needsMore
    }

    private mutating func step() throws(RequestRefusal) -> Outcome {
        switch state {
        case .requestLine: try readRequestLine()
        case .fieldLine: try readFieldLine()
        case .fixed(let left): readContent(left, then: .end) { .fixed(left: $0) }
        case .chunkSize: try readChunkSize()
        case .chunk(let left): readContent(left, then: .chunkEnd) { .chunk(left: $0) }
        case .chunkEnd: try readChunkEnd()
        case .trailerLine: try readTrailerLine()
        case .end: finish()
        case .refused: .needsMore
        }
    }

    // MARK: Head

    private mutating func readRequestLine() throws(RequestRefusal) -> Outcome {
        guard let line = try line(in: .requestLine)
        else { return .needsMore }
        // RFC 9112 §2.2: empty lines before the request line are ignored.
        guard !line.isEmpty else { return .again }
        head = try RequestHead(line: line)
        state = .fieldLine
        return .again
    }

    private mutating func readFieldLine() throws(RequestRefusal) -> Outcome {
        guard let line = try line(in: .head) else {
            return .needsMore
        }
        guard line.isEmpty else {
            try RequestHead.read(fieldLine: line, into: &head.fields)
            return .again
        }
        try head.complete(bodyLimit: bodyLimit)
        head.received = Array(buffer[start..<position])
        start = position
        bodyBytes = 0
        switch head.framing {
        case .none: state = .end
        case .length(let length): state = .fixed(left: length)
        case .chunked: state = .chunkSize
        }
        return .event(.head(head))
    }

    // MARK: Body

    private mutating func readContent(_ left: Int, then next: State, otherwise: (Int) -> State) -> Outcome {
        let count = min(left, unread)
        guard count > 0 else { return .needsMore }
        let bytes = buffer[position..<position + count]
        move(to: position + count)
        state = count == left ? next : otherwise(left - count)
        return .event(.body(bytes))
    }

    private mutating func readChunkSize() throws(RequestRefusal) -> Outcome {
        guard let line = try line(in: .chunkLine) else { return .needsMore }
        let size = try ChunkSize.read(line)
        guard size <= bodyLimit - bodyBytes else { throw RequestRefusal.bodyTooLarge(bodyLimit) }
        bodyBytes += size
        start = position
        state = size == 0 ? .trailerLine : .chunk(left: size)
        return .again
    }

    private mutating func readChunkEnd() throws(RequestRefusal) -> Outcome {
        guard unread >= 2 else { return .needsMore }
        guard buffer[position] == 0x0D, buffer[position + 1] == 0x0A else {
            throw RequestRefusal(400, "a chunk is longer than its size says")
        }
        move(to: position + 2)
        start = position
        state = .chunkSize
        return .again
    }

    private mutating func readTrailerLine() throws(RequestRefusal) -> Outcome {
        guard let line = try line(in: .trailers)
        else { return .needsMore }
        guard !line.isEmpty else { return finish() }
        try RequestHead.read(fieldLine: line, into: &trailers)
        return .again
    }

    private mutating func finish() -> Outcome {
        defer { trailers = [:] }
        start = position
        state = .requestLine
        return .event(.end(trailers: trailers))
    }

    // MARK: Bytes

    /// The section that a line belongs to, which determines the error for a line that is too long.
    private enum Section {
        case requestLine, head, chunkLine, trailers

        func refusal(limit: Int) -> RequestRefusal {
            switch self {
            case .requestLine: RequestRefusal(414, "the request line is longer than \(limit) bytes")
            case .head: RequestRefusal(431, "the head is larger than \(limit) bytes")
            case .chunkLine: RequestRefusal(400, "a chunk's size line is longer than \(limit) bytes")
            case .trailers: RequestRefusal(431, "the trailers are larger than \(limit) bytes")
            }
        }
    }

    /// Returns the next line without its CRLF, or nil if its end has not arrived. Limits count from `start`.
    private mutating func line(in section: Section) throws(RequestRefusal) -> ArraySlice<UInt8>? {
        let limit = section == .chunkLine ? 4096 : headLimit
        let found = buffer.withUnsafeBytes { bytes -> Int? in
            guard let base = bytes.baseAddress, scanned < bytes.count,
                let place = memchr(base + scanned, 0x0A, bytes.count - scanned)
            else { return nil }
            return UnsafeRawPointer(place) - base
        }
        guard let found else {
            scanned = buffer.count
            guard buffer.count - start <= limit else { throw section.refusal(limit: limit) }
            return nil
        }
        guard found + 1 - start <= limit else { throw section.refusal(limit: limit) }
        guard found > position, buffer[found - 1] == 0x0D else { throw RequestRefusal(400, "a line does not end with CRLF") }
        let line = buffer[position..<found - 1]
        move(to: found + 1)
        return line
    }

    private mutating func move(to place: Int) {
        position = place
        scanned = place
        if case .fixed = state { start = place } else if case .chunk = state { start = place }
    }

    private mutating func compact() {
        guard start == buffer.count || start > 64 * 1024 else { return }
        buffer.removeSubrange(..<start)
        position -= start
        scanned -= start
        start = 0
    }
}

/// Parses the line before a chunk (RFC 9112 §7.1): its size in hexadecimal, followed by extensions, which are ignored.
enum ChunkSize {
    static func read(_ line: ArraySlice<UInt8>) throws(RequestRefusal) -> Int {
        var size = 0
        var digits = 0
        for byte in line {
            guard let digit = Hex.value(byte) else { break }
            digits += 1
            guard digits <= 15 else { throw RequestRefusal(400, "a chunk's size is too large") }
            size = size * 16 + Int(digit)
        }
        let rest = line.dropFirst(digits).drop(while: Token.isWhitespace)
        guard digits > 0, rest.isEmpty || rest.first == UInt8(ascii: ";"), rest.allSatisfy(Token.isFieldContent) else {
            throw RequestRefusal(400, "a chunk's size is not a hexadecimal number")
        }
        return size
    }
}
