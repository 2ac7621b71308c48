package import MartletEssentials
internal import MartletSystem

/// Reads a multipart body (RFC 2046 §5.1.1) from the pieces it comes in, however they are cut.
///
/// Content is handed out as it comes, but for the few bytes that may turn out to begin a boundary, and a part ends as soon as its boundary
/// is there, whatever follows. Each byte is looked at once, so no content makes it slow; what it keeps is the head of one part at most.
///
/// Lines end with CRLF, as the RFC says, and no otherwise: if a LF alone began a boundary too, the same bytes would mean other parts to
/// other readers, and contents with LF before two hyphens would be cut. A boundary is one when a line begins with it; then come `--`, or
/// white space and the end of the line, and anything else is an error rather than a guess. So is a boundary right after another, where a head
/// should begin: the part between them is empty.
package struct MultipartParser: Sendable {
    private enum Place {
        case preamble
        /// On the line of a boundary.
        case boundary(BoundaryLine)
        case head
        case content
        case epilogue
        case failed(HTTPError)
    }

    private enum BoundaryLine { case start, hyphen, padding, lineEnd }

    /// CR, LF, two hyphens and the boundary. CR stands at its start only: a match that fails can't have another one begin within it.
    private let delimiter: [UInt8]
    private let limits: MultipartLimits
    private var place = Place.preamble
    /// How much of the delimiter the last bytes were. A body and a content begin as if a line had just ended.
    private var matched = 2
    /// How many of those bytes never came.
    private var imagined = 2
    /// The head that is being read.
    private var head: [UInt8] = []
    private var lineStart = 0
    private var partCount = 0
    private var preambleCount = 0
    /// The number of first bytes that matched a boundary; nil if the start is not checked or has been checked.
    private var startCount: Int?
    /// How many boundaries in a row had no part behind them.
    private var emptyCount = 0
    private static let maxEmpty = 100

    /// A parser for bodies with this boundary: 1 to 256 bytes, none of them CR or LF; nil for another.
    package init?(boundary: String, limits: MultipartLimits = MultipartLimits()) {
        let bytes = Array(boundary.utf8)
        guard (1...256).contains(bytes.count), !bytes.contains(UInt8(ascii: "\r")), !bytes.contains(UInt8(ascii: "\n")) else { return nil }
        delimiter = Array("\r\n--".utf8) + bytes
        self.limits = limits
        startCount = limits.allowsForeignStart ? nil : 0
    }

    /// Takes the next bytes and adds what they gave to `tokens`: also when it throws, which it then does for good.
    ///
    /// Throws `.invalidResponse` for a malformed body, with the stage `.decoding` before the first part and `.body` after it, and
    /// `.responseTooLarge` for an exceeded limit.
    package mutating func feed(_ bytes: Data, into tokens: inout [MultipartToken]) throws(HTTPError) {
        do throws(HTTPError) {
            var rest = bytes
            while !rest.isEmpty { rest = rest.dropFirst(try step(rest, &tokens)) }
        } catch {
            place = .failed(error)
            throw error
        }
    }

    /// The body has ended. Throws `.invalidResponse` when its closing boundary has not come.
    package func finish() throws(HTTPError) {
        switch place {
        case .epilogue: return
        case .failed(let error): throw error
        // The body is empty, or ends within a boundary.
        case .preamble where matched >= preambleCount + imagined: throw failure("ended before its first boundary", .body)
        case .preamble: throw malformed("has no line with its boundary")
        case .boundary, .head, .content: throw failure("ended before its closing boundary", .body)
        }
    }

    /// Reads some of the bytes and says how many.
    private mutating func step(_ bytes: Data, _ tokens: inout [MultipartToken]) throws(HTTPError) -> Int {
        switch place {
        case .preamble:
            try checkStart(bytes)
            let count = search(bytes, &tokens)
            preambleCount += count
            // What may be the boundary is no preamble.
            if case .preamble = place {} else { return count }
            guard preambleCount - matched <= limits.headBytes else {
                throw .responseTooLarge(SizeLimitFailure(.part, limit: limits.headBytes))
            }
            return count
        case .content: return search(bytes, &tokens)
        case .boundary(let line):
            try step(line, bytes[bytes.startIndex], &tokens)
            return 1
        case .head: return try readHead(bytes, &tokens)
        case .epilogue: return bytes.count
        case .failed(let error): throw error
        }
    }

    /// Throws for a body that begins with a different boundary, which could continue indefinitely without a part.
    private mutating func checkStart(_ bytes: Data) throws(HTTPError) {
        guard var count = startCount else { return }
        for byte in bytes {
            if count == 0, byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n") { continue }
            guard count + 2 < delimiter.count, byte == delimiter[count + 2] else {
                startCount = nil
                // Two hyphens begin a boundary. Other bytes are a preamble.
                guard count < 2 || count + 2 == delimiter.count else { throw malformed("begins with another boundary than its type names") }
                return
            }
            count += 1
        }
        startCount = count
    }

    // MARK: Content

    /// Goes on to the end of the delimiter, or of the bytes.
    private mutating func search(_ bytes: Data, _ tokens: inout [MultipartToken]) -> Int {
        let before = imagined..<matched
        let found = bytes.withUnsafeBytes { match($0) }
        let isContent = if case .content = place { true } else { false }
        if isContent {
            // What was held back of the bytes before, when it was no delimiter after all.
            if !found.isSameMatch, !before.isEmpty { tokens.append(.content(Data(delimiter[before]))) }
            if found.contentCount > 0 { tokens.append(.content(bytes.prefix(found.contentCount))) }
        }
        if matched == delimiter.count {
            if isContent { tokens.append(.partEnd) }
            place = .boundary(.start)
        }
        return found.count
    }

    /// - Returns: how many bytes were read; how many of them, from the first, are content; whether the match that was under way still is.
    private mutating func match(_ bytes: UnsafeRawBufferPointer) -> (count: Int, contentCount: Int, isSameMatch: Bool) {
        var position = 0, isSameMatch = matched > 0
        while position < bytes.count, matched < delimiter.count {
            if matched == 0 {
                guard let start = bytes.baseAddress, let found = memchr(start + position, Int32(UInt8(ascii: "\r")), bytes.count - position)
                else { return (bytes.count, bytes.count, false) }
                position = UnsafeRawPointer(found) - start + 1
                matched = 1
            } else if bytes[position] == delimiter[matched] {
                matched += 1
                position += 1
            } else {
                matched = 0
                imagined = 0
                isSameMatch = false
            }
        }
        return (position, isSameMatch ? 0 : position - matched, isSameMatch)
    }

    // MARK: Between parts

    private mutating func step(_ line: BoundaryLine, _ byte: UInt8, _ tokens: inout [MultipartToken]) throws(HTTPError) {
        switch (line, byte) {
        case (.start, UInt8(ascii: "-")): place = .boundary(.hyphen)
        case (.hyphen, UInt8(ascii: "-")):
            place = .epilogue
            tokens.append(.end)
        // Transport padding (RFC 2046 §5.1.1).
        case (.start, _) where Token.isWhitespace(byte), (.padding, _) where Token.isWhitespace(byte): place = .boundary(.padding)
        case (.start, UInt8(ascii: "\r")), (.padding, UInt8(ascii: "\r")): place = .boundary(.lineEnd)
        case (.lineEnd, UInt8(ascii: "\n")):
            head.removeAll(keepingCapacity: true)
            lineStart = 0
            place = .head
        default: throw malformed("has a line that begins with its boundary and goes on")
        }
    }

    /// Reads up to the end of a line of a head.
    private mutating func readHead(_ bytes: Data, _ tokens: inout [MultipartToken]) throws(HTTPError) -> Int {
        let end = bytes.firstIndex(of: UInt8(ascii: "\n"))
        let line = bytes[...(end ?? bytes.endIndex - 1)]
        if let count = try readBoundary(line) { return count }
        guard head.count + line.count <= limits.headBytes else {
            throw .responseTooLarge(SizeLimitFailure(.part, limit: limits.headBytes))
        }
        head.append(contentsOf: line)
        guard end != nil else { return line.count }
        guard head.count >= lineStart + 2, head[head.count - 2] == UInt8(ascii: "\r") else {
            throw malformed("has a field that ends with a LF alone")
        }
        if head.count > lineStart + 2 {
            lineStart = head.count
            return line.count
        }
        guard let fields = PartHead.fields(head[..<lineStart]) else {
            throw malformed("has a part with a line that is no field")
        }
        partCount += 1
        emptyCount = 0
        if let limit = limits.parts, partCount > limit { throw .responseTooLarge(SizeLimitFailure(.parts, limit: limit)) }
        tokens.append(.head(fields))
        place = .content
        (matched, imagined) = (2, 2)
        return line.count
    }

    /// How many bytes there are up to the end of a boundary that begins the head; nil when none does, or not yet.
    ///
    /// Some servers end with a boundary and, on the next line, the closing one. Between the two there is no part.
    private mutating func readBoundary(_ line: Data) throws(HTTPError) -> Int? {
        let boundary = delimiter[2...]
        guard lineStart == 0, head.count < boundary.count, head.count + line.count >= boundary.count else { return nil }
        let count = boundary.count - head.count
        guard boundary.starts(with: head), line.starts(with: boundary.suffix(count)) else { return nil }
        emptyCount += 1
        guard emptyCount <= MultipartParser.maxEmpty else { throw malformed("has boundaries and no parts") }
        place = .boundary(.start)
        return count
    }

    /// Returns an error with the stage `.decoding` if no part was read: a retry is unlikely to return a better response.
    private func malformed(_ what: String) -> HTTPError { failure(what, partCount == 0 ? .decoding : .body) }

    private func failure(_ what: String, _ stage: ErrorContext.Stage) -> HTTPError {
        .invalidResponse(Explanation("the multipart body \(what)", context: ErrorContext(stage: stage)))
    }
}

/// What a ``MultipartParser`` found.
package enum MultipartToken: Sendable, Equatable {
    /// A part begins, with these fields.
    case head(HTTPFields)
    /// Bytes of the part's content, never none.
    case content(Data)
    /// The part is complete.
    case partEnd
    /// The closing boundary was read; nothing that follows counts.
    case end
}

/// The sizes a multipart body may have; past them it is `HTTPError.responseTooLarge`.
package struct MultipartLimits: Sendable, Hashable {
    /// Bytes of the head of one part, and of what may stand before the first boundary. Default: 16 KiB.
    package var headBytes: Int
    /// How many parts there may be; nil for any number. Default: 10,000.
    package var parts: Int?
    /// Whether a body may begin with a line that looks like another boundary, which is then ignored as a preamble.
    package var allowsForeignStart = true

    /// The limits, each with its default.
    package init(headBytes: Int = 16 * 1024, parts: Int? = 10_000) {
        self.headBytes = headBytes
        self.parts = parts
    }
}
