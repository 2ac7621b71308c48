import MartletEssentials
internal import MartletSystem

/// Parses a multipart body (RFC 2046 §5.1.1) from chunks, which may be split anywhere.
///
/// Content is returned as it arrives, except the few bytes that may begin a boundary. A part ends as soon as its boundary has arrived,
/// regardless of the bytes that follow. Each byte is examined once, so no content makes the parser slow. It keeps at most the head of one
/// part.
///
/// Lines end only with CRLF, as the RFC requires. If LF alone also began a boundary, other readers would find other parts in the same
/// bytes, and content with LF before two hyphens would be cut. A boundary is at the start of a line, and `--` or white space and the end of
/// the line follow it. Anything else is an error rather than a guess. A boundary directly after another, in place of a head, encloses no
/// part.
struct MultipartParser: Sendable {
    private enum Place {
        case preamble
        /// After the boundary, on its line.
        case boundary(BoundaryLine)
        case head
        case content
        case epilogue
        case failed(HTTPError)
    }

    private enum BoundaryLine { case start, hyphen, padding, lineEnd }

    /// CR, LF, two hyphens and the boundary. CR occurs only at the start, so a failed match can't contain the start of another.
    private let delimiter: [UInt8]
    private let limits: MultipartLimits
    private var place = Place.preamble
    /// The number of bytes of the delimiter that matched. The body and each content begin as if a line had just ended.
    private var matched = 2
    /// The number of matched bytes that were not part of the body.
    private var imagined = 2
    /// The head of the current part, as far as it has arrived.
    private var head: [UInt8] = []
    private var lineStart = 0
    private var partCount = 0
    private var preambleCount = 0
    /// The number of bytes of white space after the current boundary.
    private var paddingCount = 0
    /// The number of first bytes that matched a boundary. Nil if the start is not checked or has been checked.
    private var startCount: Int?
    /// The number of consecutive boundaries without a part after them.
    private var emptyCount = 0
    private static let maxEmpty = 100

    /// Creates a parser for bodies with this boundary: 1 to 256 bytes without CR and LF. Returns nil for another boundary.
    init?(boundary: String, limits: MultipartLimits = MultipartLimits()) {
        let bytes = Array(boundary.utf8)
        guard (1...256).contains(bytes.count), !bytes.contains(UInt8(ascii: "\r")), !bytes.contains(UInt8(ascii: "\n")) else { return nil }
        delimiter = Array("\r\n--".utf8) + bytes
        self.limits = limits
        startCount = limits.allowsForeignStart ? nil : 0
    }

    /// Parses the next bytes and appends the results to `tokens`, also if it throws. After an error, every later call throws it again.
    ///
    /// Throws `.invalidResponse` for a malformed body, with the stage `.decoding` before the first part and `.body` after it, and
    /// `.responseTooLarge` for an exceeded limit.
    mutating func feed(_ bytes: Data, into tokens: inout [MultipartToken]) throws(HTTPError) {
        do throws(HTTPError) {
            var rest = bytes
            while !rest.isEmpty { rest = rest.dropFirst(try step(rest, &tokens)) }
        } catch {
            place = .failed(error)
            throw error
        }
    }

    /// Checks that the body is complete. Throws `.invalidResponse` if its closing boundary is missing.
    func finish() throws(HTTPError) {
        switch place {
        case .epilogue: return
        case .failed(let error): throw error
        // The body is empty, or ends within a boundary.
        case .preamble where matched >= preambleCount + imagined: throw failure("ended before its first boundary", .body)
        case .preamble: throw malformed("has no line with its boundary")
        case .boundary, .head, .content: throw failure("ended before its closing boundary", .body)
        }
    }

    /// Parses some of the bytes and returns their number.
    private mutating func step(_ bytes: Data, _ tokens: inout [MultipartToken]) throws(HTTPError) -> Int {
        switch place {
        case .preamble:
            try checkStart(bytes)
            let count = search(bytes, &tokens)
            preambleCount += count
            // Bytes that belong to the boundary, or may, are not preamble.
            guard preambleCount + imagined - matched <= limits.headBytes else {
                throw tooLargeHead
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
                guard count < 2 || count + 2 == delimiter.count else {
                    throw malformed("begins with another boundary than its Content-Type names")
                }
                return
            }
            count += 1
        }
        startCount = count
    }

    // MARK: Content

    /// Reads up to the end of the delimiter, or of the bytes.
    private mutating func search(_ bytes: Data, _ tokens: inout [MultipartToken]) -> Int {
        let before = imagined..<matched
        let found = bytes.withUnsafeBytes { match($0) }
        let isContent = if case .content = place { true } else { false }
        if isContent {
            // Bytes that were held back turned out not to be a delimiter.
            if !found.isSameMatch, !before.isEmpty { tokens.append(.content(Data(delimiter[before]))) }
            if found.contentCount > 0 { tokens.append(.content(bytes.prefix(found.contentCount))) }
        }
        if matched == delimiter.count {
            if isContent { tokens.append(.partEnd) }
            place = .boundary(.start)
        }
        return found.count
    }

    /// - Returns: The number of bytes read, the number of these that are content (from the first), and whether the match in progress
    ///   continues.
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
        case (.start, _) where Token.isWhitespace(byte), (.padding, _) where Token.isWhitespace(byte):
            paddingCount = line == .start ? 1 : paddingCount + 1
            guard paddingCount <= limits.headBytes else { throw tooLargeHead }
            place = .boundary(.padding)
        case (.start, UInt8(ascii: "\r")), (.padding, UInt8(ascii: "\r")): place = .boundary(.lineEnd)
        case (.lineEnd, UInt8(ascii: "\n")):
            head.removeAll(keepingCapacity: true)
            lineStart = 0
            place = .head
        default: throw malformed("has a line with other text after its boundary")
        }
    }

    /// Reads up to the end of a line of a head.
    private mutating func readHead(_ bytes: Data, _ tokens: inout [MultipartToken]) throws(HTTPError) -> Int {
        let end = bytes.firstIndex(of: UInt8(ascii: "\n"))
        let line = bytes[...(end ?? bytes.endIndex - 1)]
        if let count = try readBoundary(line) { return count }
        guard head.count + line.count <= limits.headBytes else { throw tooLargeHead }
        head.append(contentsOf: line)
        guard end != nil else { return line.count }
        guard head.count >= lineStart + 2, head[head.count - 2] == UInt8(ascii: "\r") else {
            throw malformed("has a header field that ends with LF instead of CRLF")
        }
        if head.count > lineStart + 2 {
            lineStart = head.count
            return line.count
        }
        guard let fields = PartHead.fields(head[..<lineStart]) else {
            throw malformed("has a part with a line that is not a header field")
        }
        partCount += 1
        emptyCount = 0
        if let limit = limits.parts, partCount > limit { throw .responseTooLarge(SizeLimitFailure(.parts, limit: limit)) }
        tokens.append(.head(fields))
        place = .content
        (matched, imagined) = (2, 2)
        return line.count
    }

    /// Returns the number of bytes up to the end of a boundary that begins the head, or nil as long as none has arrived.
    ///
    /// Some servers send a boundary and, on the next line, the closing one. They do not enclose a part.
    private mutating func readBoundary(_ line: Data) throws(HTTPError) -> Int? {
        let boundary = delimiter[2...]
        guard lineStart == 0, head.count < boundary.count, head.count + line.count >= boundary.count else { return nil }
        let count = boundary.count - head.count
        guard boundary.starts(with: head), line.starts(with: boundary.suffix(count)) else { return nil }
        emptyCount += 1
        guard emptyCount <= MultipartParser.maxEmpty else {
            throw malformed("has too many boundaries without a part")
        }
        place = .boundary(.start)
        return count
    }

    private var tooLargeHead: HTTPError { .responseTooLarge(SizeLimitFailure(.part, limit: limits.headBytes)) }

    /// Returns an error with the stage `.decoding` if no part was read, because a retry is unlikely to return a better response.
    private func malformed(_ what: String) -> HTTPError { failure(what, partCount == 0 ? .decoding : .body) }

    private func failure(_ what: String, _ stage: ErrorContext.Stage) -> HTTPError {
        .invalidResponse(Explanation("the multipart body \(what)", context: ErrorContext(stage: stage)))
    }
}

/// A result of ``MultipartParser``.
enum MultipartToken: Sendable, Equatable {
    /// A part begins, with these header fields.
    case head(HTTPFields)
    /// Bytes of the part's content, at least one.
    case content(Data)
    /// The part is complete.
    case partEnd
    /// The closing boundary was read. The bytes after it are ignored.
    case end
}

/// The size limits of a multipart body. An exceeded limit throws `HTTPError.responseTooLarge`.
package struct MultipartLimits: Sendable, Hashable {
    /// The maximum number of bytes in the head of one part, in the preamble before the first boundary, and in the white space after a
    /// boundary. Default: 16 KiB.
    var headBytes: Int
    /// The maximum number of parts. Nil removes the limit. Default: 10,000.
    var parts: Int?
    /// Whether a body may begin with a line that looks like another boundary, which then counts as preamble.
    package var allowsForeignStart = true

    /// Creates limits. A limit that is left out has its default.
    package init(headBytes: Int = 16 * 1024, parts: Int? = 10_000) {
        self.headBytes = headBytes
        self.parts = parts
    }
}

/// Parses the header fields of a part.
private enum PartHead {
    /// Returns the fields in lines that each end with CRLF, or nil if a line is not a field. A line that begins with white space continues
    /// the previous one (RFC 5322 §2.2.3).
    static func fields(_ bytes: ArraySlice<UInt8>) -> HTTPFields? {
        var fields = HTTPFields(), line: [UInt8] = [], rest = bytes
        while !rest.isEmpty {
            let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
            let next = rest[..<end].dropLast()
            rest = rest[end...].dropFirst()
            if let first = next.first, Token.isWhitespace(first) {
                guard !line.isEmpty else { return nil }
                line.append(UInt8(ascii: " "))
                line.append(contentsOf: next.drop(while: Token.isWhitespace))
                continue
            }
            guard append(line, to: &fields) else { return nil }
            line = Array(next)
        }
        return append(line, to: &fields) && fields.firstInvalidLine == nil ? fields : nil
    }

    private static func append(_ line: [UInt8], to fields: inout HTTPFields) -> Bool {
        guard !line.isEmpty else { return true }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0 else { return false }
        fields.append(nameBytes: line[..<colon], valueBytes: line[(colon + 1)...])
        return true
    }
}
