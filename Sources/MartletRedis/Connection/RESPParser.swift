/// Parses replies from bytes in pieces of any size.
///
/// It stores no more than its limits allow, reserves no memory for lengths that a server only announces, and reads each byte once. After an
/// error it stays failed, because the bytes after a malformed reply have no meaning.
struct RESPParser: Sendable {
    /// The limits of one reply.
    struct Limits: Sendable {
        /// The maximum number of bytes of a reply. Default: 64 MiB.
        var bytes = 64 << 20
        /// The maximum number of elements in all arrays of a reply. Default: 65,536.
        var elements = 1 << 16
        /// The maximum nesting depth of arrays. Default: 8.
        var depth = 8
        /// The maximum length of a line (a text, an error or a number) in bytes. Default: 64 KiB.
        var lineBytes = 64 << 10
    }

    private enum Step {
        case line
        case content(missing: Int)
        case contentEnd(read: Int)
        case failed(RESPError)
    }

    private struct OpenArray {
        var missing: Int
        var values: [RESPValue] = []
    }

    private static let kinds = Array("+-:$*".utf8)

    private let limits: Limits
    private var step = Step.line
    private var line: [UInt8] = []
    private var gathered: [UInt8] = []
    private var stack: [OpenArray] = []
    private var usedBytes = 0
    private var usedElements = 0

    init(limits: Limits = Limits()) { self.limits = limits }

    /// Whether all received bytes belong to complete replies.
    var isBetweenReplies: Bool {
        guard case .line = step else { return false }
        return line.isEmpty && stack.isEmpty
    }

    /// Parses the next bytes and returns the replies that they complete.
    mutating func feed(_ bytes: UnsafeRawBufferPointer) throws(RESPError) -> [RESPValue] {
        var rest = bytes[...], replies: [RESPValue] = []
        do throws(RESPError) {
            while !rest.isEmpty {
                if let value = try advance(&rest), let reply = try complete(value) { replies.append(reply) }
            }
            if case .failed(let error) = step { throw error }
        } catch {
            step = .failed(error)
            (line, gathered, stack) = ([], [], [])
            throw error
        }
        return replies
    }

    /// Parses the bytes of one step and returns the value that they complete.
    private mutating func advance(_ rest: inout Slice<UnsafeRawBufferPointer>) throws(RESPError) -> RESPValue? {
        switch step {
        case .failed(let error): throw error
        case .line:
            let end = rest.firstIndex(of: 0x0A)
            let piece = end.map { rest[..<$0] } ?? rest
            rest = end.map { rest[($0 + 1)...] } ?? rest[rest.endIndex...]
            // Checked immediately, because a line that is not RESP may never end.
            guard let kind = line.first ?? piece.first ?? end.map({ _ in 0x0A }), RESPParser.kinds.contains(kind) else {
                throw .malformed("a reply of an unknown kind")
            }
            guard line.count + piece.count <= limits.lineBytes else { throw .tooLarge("a line") }
            line.append(contentsOf: piece)
            guard end != nil else { return nil }
            defer { line.removeAll(keepingCapacity: true) }
            return try value(ofLine: line)
        case .content(let missing):
            let piece = rest.prefix(missing)
            gathered.append(contentsOf: piece)
            rest = rest.dropFirst(piece.count)
            step = missing == piece.count ? .contentEnd(read: 0) : .content(missing: missing - piece.count)
            return nil
        case .contentEnd(let read):
            let byte = rest.removeFirst()
            guard byte == (read == 0 ? 0x0D : 0x0A) else { throw .malformed("a string is longer than its length") }
            guard read == 1 else {
                step = .contentEnd(read: 1)
                return nil
            }
            step = .line
            defer { gathered = [] }
            return .bytes(gathered)
        }
    }

    private mutating func value(ofLine line: [UInt8]) throws(RESPError) -> RESPValue? {
        guard line.last == 0x0D, let kind = line.first, line.count > 1 else { throw .malformed("a line without CR LF or without a kind") }
        let words = line[1..<(line.count - 1)]
        guard !words.contains(0x0D) else { throw .malformed("a carriage return within a line") }
        try use(bytes: line.count + 1)
        switch kind {
        case UInt8(ascii: "+"): return .text(String(decoding: words, as: UTF8.self))
        case UInt8(ascii: "-"): return .error(String(decoding: words, as: UTF8.self))
        case UInt8(ascii: ":"):
            guard let number = RESPParser.integer(words) else { throw .malformed("an invalid number") }
            return .integer(number)
        case UInt8(ascii: "$"):
            guard let count = try length(words) else { return .null }
            try use(bytes: count + 2)
            step = count == 0 ? .contentEnd(read: 0) : .content(missing: count)
            return nil
        case UInt8(ascii: "*"):
            guard let count = try length(words) else { return .null }
            guard count > 0 else { return .array([]) }
            guard count <= limits.elements - usedElements else { throw .tooLarge("an array") }
            guard stack.count < limits.depth else { throw .tooLarge("the nesting of arrays") }
            usedElements += count
            stack.append(OpenArray(missing: count))
            return nil
        default: throw .malformed("a reply of an unknown kind")
        }
    }

    /// Adds a value to its array, and returns the reply that it completes.
    private mutating func complete(_ value: RESPValue) throws(RESPError) -> RESPValue? {
        var value = value
        while !stack.isEmpty {
            let last = stack.count - 1
            stack[last].values.append(value)
            stack[last].missing -= 1
            guard stack[last].missing == 0 else { return nil }
            value = .array(stack.removeLast().values)
        }
        (usedBytes, usedElements) = (0, 0)
        return value
    }

    private mutating func use(bytes: Int) throws(RESPError) {
        guard bytes <= limits.bytes - usedBytes else { throw .tooLarge("a reply") }
        usedBytes += bytes
    }

    /// Returns a length, or nil for -1, which means null.
    private func length(_ words: ArraySlice<UInt8>) throws(RESPError) -> Int? {
        if words.elementsEqual("-1".utf8) { return nil }
        guard let number = RESPParser.integer(words), number >= 0, words.first != UInt8(ascii: "-"), words.first != UInt8(ascii: "+") else {
            throw .malformed("an invalid length")
        }
        // This limit prevents overflows, and is above all other limits.
        guard number <= 1 << 40 else { throw .tooLarge("a length") }
        return Int(number)
    }

    private static func integer(_ words: ArraySlice<UInt8>) -> Int64? { Int64(String(decoding: words, as: UTF8.self)) }
}

/// A reply in the second version of the server's protocol (RESP2).
enum RESPValue: Sendable, Hashable {
    /// A simple string: `+OK`.
    case text(String)
    /// An error: `-ERR message`.
    case error(String)
    case integer(Int64)
    case bytes([UInt8])
    case array([RESPValue])
    /// Null: `$-1` or `*-1`.
    case null
}

/// The error for bytes that are not RESP2, or exceed a limit.
enum RESPError: Error, Sendable, Hashable {
    case malformed(String)
    case tooLarge(String)
}
