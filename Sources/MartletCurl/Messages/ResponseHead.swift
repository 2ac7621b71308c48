internal import MartletHTTP

/// Reads the head of a response, and its trailers, from the lines that libcurl passes on one by one.
///
/// Accepts what servers write (RFC 9112 §4, §5): `Name:value` without a space, a status line without a reason, bytes outside ASCII, and
/// obsolete line folding. Interim responses (1xx) are dropped. Lines after the head are trailers.
struct ResponseHead {
    /// The result of reading a line.
    enum Progress {
        case more
        /// The final head is complete.
        case complete
        case tooLarge
        case tooManyFields
    }

    private(set) var status: HTTPStatus = 0
    private(set) var version: HTTPVersion?
    private(set) var isComplete = false
    /// The lines of the block that is being read, without its status line.
    private var block: [UInt8] = []
    private var lineCount = 0
    private var byteCount = 0
    private var limit = Int.max
    private var fieldLimit = Int.max

    /// Prepares for a new head and keeps the memory.
    mutating func reset(limit: Int, fieldLimit: Int = .max) {
        status = 0
        version = nil
        isComplete = false
        byteCount = 0
        self.limit = limit
        self.fieldLimit = fieldLimit
        clearBlock()
    }

    mutating func add(_ line: UnsafeBufferPointer<UInt8>) -> Progress {
        byteCount += line.count
        guard byteCount <= limit else { return .tooLarge }
        guard let first = line.first else { return .more }
        if first == UInt8(ascii: "\n") || first == UInt8(ascii: "\r") && line.count <= 2 { return endBlock() }
        if Token.isWhitespace(first), !block.isEmpty {
            unfold(line)
        } else if !isComplete, lineCount == 0, status.rawValue == 0, readStatus(line) {
            return .more
        } else {
            lineCount += 1
            guard lineCount <= fieldLimit else { return .tooManyFields }
            block.append(contentsOf: line)
        }
        return .more
    }

    /// Removes and returns the fields of the block that was read last: the fields of the head or, later, the trailers.
    mutating func takeFields() -> HTTPFields {
        guard lineCount > 0 else { return HTTPFields() }
        let fields = block.withUnsafeBufferPointer { HTTPFields(block: $0, lineCount: lineCount) }
        clearBlock()
        return fields
    }

    private mutating func endBlock() -> Progress {
        guard !isComplete else { return .more }
        if status.kind == .informational || status.rawValue == 0 {
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
        guard line.starts(with: "HTTP/".utf8), let space = line.firstIndex(of: UInt8(ascii: " ")) else { return false }
        var code = 0
        for byte in line[(space + 1)...].drop(while: Token.isWhitespace) {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9"), code < 1000 else { break }
            code = code * 10 + Int(byte - UInt8(ascii: "0"))
        }
        status = HTTPStatus(rawValue: code)
        switch line[5] {
        case UInt8(ascii: "1"): version = space == 8 && line[7] == UInt8(ascii: "0") ? .http10 : .http11
        case UInt8(ascii: "2"): version = .http2
        case UInt8(ascii: "3"): version = .http3
        default: version = nil
        }
        return true
    }
}
