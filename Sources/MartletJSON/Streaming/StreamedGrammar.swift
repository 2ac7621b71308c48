/// The grammar of RFC 8259 as a state machine that reads a document in pieces.
///
/// It validates every byte and stores none. Its memory is constant: one bit for each open array or object, up to the depth limit.
struct StreamedGrammar: Sendable {
    /// What the next byte belongs to.
    enum State: UInt8, Sendable {
        case start, byteOrderMark
        case value, firstElement, firstName, name, colon, separator, end
        case string, sequence, escape, hexDigits, lowSurrogate
        case minus, zero, integer, point, fraction, exponent, exponentSign, exponentDigits
        case literal
    }

    /// The reason why `run` returned.
    enum Event: Sendable {
        /// Nothing happened that `run` must return for.
        case proceed
        /// All bytes have been read.
        case needsBytes
        /// The first byte of a name, or of a value, was read.
        case nameBegan, valueBegan
        /// The last byte of a name, or of a value, was read.
        case nameEnded, valueEnded
        /// The document is invalid; see `failure`.
        case failed
    }

    var state = State.start
    /// The greatest depth at which names and values are reported as events. A value has the depth of the array or object that contains it.
    var watchedDepth = 0
    /// The number of open arrays and objects.
    private(set) var depth = 0
    private(set) var failure: JSONElementError?
    private let maxDepth: Int

    /// The open arrays (1) and objects (0), the innermost in the lowest bit. Holds up to 64 of them.
    private var innermost: UInt64 = 0
    /// The open arrays and objects outside `innermost`, in full words.
    private var outer: [UInt64] = []

    private var line = 1
    private var lineStart = 0
    /// The UTF-8 continuation bytes since the start of the line. They do not count as columns.
    var continuations = 0

    /// Whether the current string is a member name.
    var isName = false
    var sequence = UTF8Sequence()
    var escape = StreamedEscape()
    /// The bytes of the current literal that have not been read, the next in the lowest byte.
    var literal: UInt32 = 0

    init(maxDepth: Int) { self.maxDepth = max(0, maxDepth) }

    /// Reads bytes up to the next event.
    mutating func run(_ cursor: inout StreamedCursor) -> Event {
        while !cursor.isAtEnd {
            let event: Event
            switch state {
            case .string: event = readString(&cursor)
            case .value, .firstElement, .firstName, .name, .colon, .separator, .end: event = readStructure(&cursor)
            case .minus, .zero, .integer, .point, .fraction, .exponent, .exponentSign, .exponentDigits: event = readNumber(&cursor)
            case .literal: event = readLiteral(&cursor)
            case .sequence, .escape, .hexDigits, .lowSurrogate: event = readSpecialText(&cursor)
            case .start, .byteOrderMark: event = readByteOrderMark(&cursor)
            }
            if event != .proceed { return event }
        }
        return .needsBytes
    }

    /// Returns the position of a byte of the current line.
    ///
    /// There must be no UTF-8 continuation bytes between the byte and the last one read.
    func position(at offset: Int) -> JSONPosition {
        JSONPosition(offset: offset, line: line, column: offset - lineStart - continuations + 1)
    }

    /// Stores a failure at the offset of a byte of the current line.
    @inline(never)
    mutating func fail(_ kind: JSONElementError.Kind, at offset: Int) -> Event {
        failure = JSONElementError(kind, at: position(at: offset))
        return .failed
    }

    /// Ends a value after its last byte.
    @inline(__always)
    mutating func endValue() -> Event {
        state = depth == 0 ? .end : .separator
        return depth <= watchedDepth ? .valueEnded : .proceed
    }

    /// Reads white space and structural characters up to the start of a name or a scalar.
    @inline(__always)
    private mutating func readStructure(_ cursor: inout StreamedCursor) -> Event {
        while skipWhiteSpace(&cursor) {
            let byte = cursor.next.pointee
            switch state {
            case .colon:
                guard byte == UInt8(ascii: ":") else { return fail(.syntax(.colonExpected), at: cursor.offset) }
                cursor.next += 1
                state = .value
            case .separator where byte == UInt8(ascii: ","):
                cursor.next += 1
                state = isInArray ? .value : .name
            case .separator:
                guard byte == (isInArray ? UInt8(ascii: "]") : UInt8(ascii: "}")) else { return failSeparator(at: cursor.offset) }
                return close(&cursor)
            case .firstName where byte == UInt8(ascii: "}"), .firstElement where byte == UInt8(ascii: "]"): return close(&cursor)
            case .firstName, .name: return beginName(byte, &cursor)
            case .end: return fail(.syntax(.trailingBytes), at: cursor.offset)
            default: return beginValue(byte, &cursor)
            }
        }
        return .proceed
    }

    private var isInArray: Bool { innermost & 1 == 1 }

    private mutating func failSeparator(at offset: Int) -> Event {
        fail(.syntax(isInArray ? .elementSeparatorExpected : .memberSeparatorExpected), at: offset)
    }

    @inline(__always)
    private mutating func beginName(_ byte: UInt8, _ cursor: inout StreamedCursor) -> Event {
        guard byte == UInt8(ascii: "\"") else { return fail(.syntax(.nameExpected), at: cursor.offset) }
        cursor.next += 1
        state = .string
        isName = true
        return depth <= watchedDepth ? .nameBegan : .proceed
    }

    @inline(__always)
    private mutating func beginValue(_ byte: UInt8, _ cursor: inout StreamedCursor) -> Event {
        let event: Event = depth <= watchedDepth ? .valueBegan : .proceed
        switch byte {
        case UInt8(ascii: "\""):
            state = .string
            isName = false
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard depth < maxDepth else { return fail(.tooDeep(limit: maxDepth), at: cursor.offset) }
            open(isArray: byte == UInt8(ascii: "["))
        case UInt8(ascii: "-"): state = .minus
        case UInt8(ascii: "0"): state = .zero
        case UInt8(ascii: "1")...UInt8(ascii: "9"): state = .integer
        default:
            literal = Self.literalRest(after: byte)
            guard literal != 0 else { return fail(.syntax(.valueExpected), at: cursor.offset) }
            state = .literal
        }
        cursor.next += 1
        return event
    }

    @inline(__always)
    private mutating func open(isArray: Bool) {
        if depth & 63 == 0, depth > 0 { outer.append(innermost) }
        innermost = innermost << 1 | (isArray ? 1 : 0)
        depth += 1
        state = isArray ? .firstElement : .firstName
    }

    @inline(__always)
    private mutating func close(_ cursor: inout StreamedCursor) -> Event {
        cursor.next += 1
        depth -= 1
        innermost >>= 1
        if depth & 63 == 0, let word = outer.popLast() { innermost = word }
        return endValue()
    }

    /// Skips white space. Returns false if nothing else is left.
    @inline(__always)
    private mutating func skipWhiteSpace(_ cursor: inout StreamedCursor) -> Bool {
        while !cursor.isAtEnd {
            switch cursor.next.pointee {
            case 0x20: cursor.skipSpaces()
            case 0x0A:
                cursor.next += 1
                line += 1
                lineStart = cursor.offset
                continuations = 0
            case 0x09, 0x0D: cursor.next += 1
            default: return true
            }
        }
        return false
    }

    private mutating func readByteOrderMark(_ cursor: inout StreamedCursor) -> Event {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let offset = cursor.offset
        guard cursor.next.pointee == mark[offset] else {
            if offset > 0 { return fail(.syntax(.valueExpected), at: 0) }
            state = .value
            return .proceed
        }
        cursor.next += 1
        state = offset == 2 ? .value : .byteOrderMark
        if offset == 2 { lineStart = 3 }
        return .proceed
    }
}
