struct StreamedEscape: Sendable {
    /// The offset of the backslash.
    var start = 0
    /// The offset of the backslash of the escaped high surrogate directly before, if there is one.
    var highSurrogateStart: Int?
    var unit: UInt16 = 0
    var digitCount = 0
}

extension StreamedGrammar {
    /// Reads bytes of a string up to its end or to an escape.
    @inline(__always)
    mutating func readString(_ cursor: inout StreamedCursor) -> Event {
        cursor.skipPlainText()
        if cursor.isAtEnd { return .proceed }
        let byte = cursor.next.pointee
        if byte == UInt8(ascii: "\"") {
            cursor.next += 1
            guard isName else { return endValue() }
            state = .colon
            return depth <= watchedDepth ? .nameEnded : .proceed
        }
        if byte == UInt8(ascii: "\\") {
            beginEscape(&cursor)
            return .proceed
        }
        if byte < 0x20 { return fail(.syntax(.controlCharacter), at: cursor.offset) }
        let skipped = cursor.skipSequences()
        continuations += skipped
        return skipped > 0 ? .proceed : beginSequence(&cursor)
    }

    /// Reads the bytes of a string that the fast path cannot: parts of escapes and of UTF-8 sequences.
    mutating func readSpecialText(_ cursor: inout StreamedCursor) -> Event {
        switch state {
        case .sequence: return readSequence(&cursor)
        case .escape: return readEscape(&cursor)
        case .hexDigits: return readHexDigit(&cursor)
        default:
            guard cursor.next.pointee == UInt8(ascii: "\\") else { return failUnpaired() }
            beginEscape(&cursor)
            return .proceed
        }
    }

    /// Begins a UTF-8 sequence that is malformed or that may end in the next chunk.
    private mutating func beginSequence(_ cursor: inout StreamedCursor) -> Event {
        guard let sequence = UTF8Sequence(lead: cursor.next.pointee) else {
            return fail(.syntax(.invalidUTF8), at: cursor.offset)
        }
        self.sequence = sequence
        cursor.next += 1
        state = .sequence
        return .proceed
    }

    private mutating func readSequence(_ cursor: inout StreamedCursor) -> Event {
        let byte = cursor.next.pointee
        guard byte >= sequence.lowest, byte <= sequence.highest else { return fail(.syntax(.invalidUTF8), at: cursor.offset) }
        cursor.next += 1
        continuations += 1
        sequence.missing -= 1
        sequence.lowest = 0x80
        sequence.highest = 0xBF
        if sequence.missing == 0 { state = .string }
        return .proceed
    }

    @inline(__always)
    private mutating func beginEscape(_ cursor: inout StreamedCursor) {
        escape.start = cursor.offset
        cursor.next += 1
        state = .escape
    }

    private mutating func readEscape(_ cursor: inout StreamedCursor) -> Event {
        let byte = cursor.next.pointee
        if byte == UInt8(ascii: "u") {
            cursor.next += 1
            state = .hexDigits
            escape.unit = 0
            escape.digitCount = 0
            return .proceed
        }
        if escape.highSurrogateStart != nil { return failUnpaired() }
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"),
            UInt8(ascii: "r"), UInt8(ascii: "t"):
            cursor.next += 1
            state = .string
            return .proceed
        default: return fail(.syntax(.invalidEscape), at: escape.start)
        }
    }

    private mutating func readHexDigit(_ cursor: inout StreamedCursor) -> Event {
        let byte = cursor.next.pointee
        let letter = (byte | 0x20) &- UInt8(ascii: "a")
        let digit = byte &- 0x30
        guard digit < 10 || letter < 6 else { return fail(.syntax(.invalidEscape), at: escape.start) }
        escape.unit = escape.unit << 4 | UInt16(digit < 10 ? digit : letter + 10)
        escape.digitCount += 1
        cursor.next += 1
        return escape.digitCount == 4 ? endEscape() : .proceed
    }

    private mutating func endEscape() -> Event {
        let isLow = escape.unit & 0xFC00 == 0xDC00
        if escape.highSurrogateStart != nil, !isLow { return failUnpaired() }
        if escape.highSurrogateStart == nil, isLow { return fail(.syntax(.unpairedSurrogate), at: escape.start) }
        let isHigh = escape.unit & 0xFC00 == 0xD800
        escape.highSurrogateStart = isHigh ? escape.start : nil
        state = isHigh ? .lowSurrogate : .string
        return .proceed
    }

    private mutating func failUnpaired() -> Event {
        fail(.syntax(.unpairedSurrogate), at: escape.highSurrogateStart ?? escape.start)
    }
}
