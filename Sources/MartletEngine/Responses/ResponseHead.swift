package import MartletHTTP

/// Reads the head of a response, and its trailers, line by line.
///
/// Accepts what servers write (RFC 9112 §4, §5): `Name:value` without a space, a status line without a reason, bytes outside ASCII, and
/// obsolete line folding. Interim responses (1xx) are dropped. Lines after the head are trailers. A head whose framing two readers
/// could understand differently is malformed.
package struct ResponseHead {
    /// The result of reading a line.
    package enum Progress: Hashable {
        case more
        /// The final head is complete.
        case complete
        case tooLarge
        case tooManyFields
        case malformed(Fault)
    }

    /// Why a head is malformed, as text for developers.
    package enum Fault: String {
        case statusLine = "the response does not begin with a status line of HTTP (RFC 9112 §4)"
        case field = "a field line has no colon, or a NUL (RFC 9112 §5)"
        case foldedStart = "the first field line begins with white space (RFC 9112 §2.2)"
        case framing = "Transfer-Encoding or Content-Length is folded, or has white space before its colon (RFC 9112 §5)"
        case upgrade = "the server switches protocols, which the request did not ask for (RFC 9110 §15.2.2)"
        case upgradeVersion = "the server switches protocols in another version than HTTP/1.1 (RFC 9110 §7.8)"
    }

    package private(set) var status: HTTPStatus = 0
    package private(set) var version: HTTPVersion?
    package private(set) var isComplete = false
    /// The lines of the block that is being read, without its status line.
    private var block: [UInt8] = []
    @usableFromInline var lineCount = 0
    private var byteCount = 0
    private var limit = Int.max
    private var fieldLimit = Int.max
    /// Whether a response 101 is a final one, because the request asks for an upgrade.
    private var acceptsUpgrade = false
    /// Whether another version than HTTP/1 is malformed.
    private var isHTTP1 = false
    /// Whether the server has permitted the body of the request with 100.
    package private(set) var hasContinue = false
    /// Whether the last line sets the framing of the body.
    private var setsFraming = false

    package init() {}

    /// Whether the next line is a status line: that of the final response, or of an interim one before it.
    // Inlined: another module would copy the head to ask for it.
    @inlinable package var isAtStatusLine: Bool { !isComplete && lineCount == 0 && status.rawValue == 0 }

    /// Whether the next line is one of a head that has begun.
    package var isWithinBlock: Bool { !isComplete && hasBegun && !isAtStatusLine }

    /// Whether a line has arrived.
    package var hasBegun: Bool { byteCount > 0 }

    /// Prepares for a new head and keeps the memory.
    package mutating func reset(limit: Int, fieldLimit: Int = .max, acceptsUpgrade: Bool = false, isHTTP1: Bool = false) {
        status = 0
        version = nil
        isComplete = false
        byteCount = 0
        self.limit = limit
        self.fieldLimit = fieldLimit
        self.acceptsUpgrade = acceptsUpgrade
        self.isHTTP1 = isHTTP1
        hasContinue = false
        clearBlock()
    }

    package mutating func add(_ line: UnsafeBufferPointer<UInt8>) -> Progress {
        byteCount += line.count
        guard byteCount <= limit else { return .tooLarge }
        guard let first = line.first else { return .more }
        if first == UInt8(ascii: "\n") || first == UInt8(ascii: "\r") && line.count <= 2 {
            return isHTTP1 && isAtStatusLine ? .malformed(.statusLine) : endBlock()
        }
        if isAtStatusLine { return readStatus(line) ? .more : .malformed(.statusLine) }
        // libcurl refuses these itself, and lines without a colon.
        if isHTTP1, line.contains(0) { return .malformed(.field) }
        if Token.isWhitespace(first) {
            guard lineCount > 0 else { return .malformed(.foldedStart) }
            guard !setsFraming else { return .malformed(.framing) }
            unfold(line)
            return .more
        }
        if isHTTP1, !line.contains(UInt8(ascii: ":")) { return .malformed(.field) }
        lineCount += 1
        guard lineCount <= fieldLimit else { return .tooManyFields }
        setsFraming = false
        if let end = ResponseHead.endOfFramingName(line) {
            guard line[end] == UInt8(ascii: ":") else { return .malformed(.framing) }
            setsFraming = true
        }
        block.append(contentsOf: line)
        return .more
    }

    /// Returns the position after `Transfer-Encoding` or `Content-Length`, if the line has that name.
    private static func endOfFramingName(_ line: UnsafeBufferPointer<UInt8>) -> Int? {
        let name: StaticString =
            switch line[0] {
            case UInt8(ascii: "T"), UInt8(ascii: "t"): "transfer-encoding"
            case UInt8(ascii: "C"), UInt8(ascii: "c"): "content-length"
            default: ""
            }
        let count = name.utf8CodeUnitCount
        guard count > 0, line.count > count, line[count] == UInt8(ascii: ":") || line[count] <= 0x20 else { return nil }
        // Bit 5 is the case of a letter, and is set in a hyphen.
        for position in 0..<count where line[position] | 0x20 != name.utf8Start[position] { return nil }
        return count
    }

    /// Removes and returns the fields of the block that was read last: the fields of the head or, later, the trailers.
    package mutating func takeFields() -> HTTPFields {
        guard lineCount > 0 else { return HTTPFields() }
        let fields = block.withUnsafeBufferPointer { HTTPFields(block: $0, lineCount: lineCount) }
        clearBlock()
        return fields
    }

    private mutating func endBlock() -> Progress {
        guard !isComplete else { return .more }
        let isUpgrade = status.rawValue == 101
        if isUpgrade, !acceptsUpgrade { return .malformed(.upgrade) }
        if isUpgrade, version != .http11 { return .malformed(.upgradeVersion) }
        if status.kind == .informational && !isUpgrade || status.rawValue == 0 {
            if status.rawValue == 100 { hasContinue = true }
            status = 0
            version = nil
            clearBlock()
            return .more
        }
        isComplete = true
        return .complete
    }

    private mutating func clearBlock() {
        block.removeAll(keepingCapacity: true)
        lineCount = 0
    }

    /// Joins a folded line to the line before it with a space (RFC 9112 §5.2).
    private mutating func unfold(_ line: UnsafeBufferPointer<UInt8>) {
        while let last = block.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") { block.removeLast() }
        block.append(UInt8(ascii: " "))
        block.append(contentsOf: line.drop(while: Token.isWhitespace))
    }

    /// Reads a status line, such as `HTTP/1.1 200 OK`, `HTTP/1.0 404` or `HTTP/2 200`. Returns false if the line is not one.
    private mutating func readStatus(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
        guard line.starts(with: "HTTP/".utf8), let space = line.firstIndex(of: UInt8(ascii: " ")), space > 5 else { return false }
        var code = 0, digits = 0
        for byte in line[(space + 1)...].drop(while: Token.isWhitespace) {
            guard Token.isDigit(byte), digits < 4 else {
                guard Token.isWhitespace(byte) || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n") else { return false }
                break
            }
            digits += 1
            code = code * 10 + Int(byte - UInt8(ascii: "0"))
        }
        guard digits == 3, code >= 100 else { return false }
        status = HTTPStatus(rawValue: code)
        switch line[5] {
        case UInt8(ascii: "1"): version = space == 8 && line[7] == UInt8(ascii: "0") ? .http10 : .http11
        case UInt8(ascii: "2"): version = .http2
        case UInt8(ascii: "3"): version = .http3
        default: version = nil
        }
        return !isHTTP1 || line[5] == UInt8(ascii: "1") && line[6] == UInt8(ascii: ".") && space == 8 && Token.isDigit(line[7])
    }
}
