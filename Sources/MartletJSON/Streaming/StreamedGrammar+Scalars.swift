extension StreamedGrammar {
    /// Reads bytes of a number. The byte after the number is not read.
    @inline(__always)
    mutating func readNumber(_ cursor: inout StreamedCursor) -> Event {
        while true {
            if state == .integer || state == .fraction || state == .exponentDigits { cursor.skipDigits() }
            if cursor.isAtEnd { return .proceed }
            let byte = cursor.next.pointee
            guard let following = numberState(after: byte) else { return endNumber(byte, &cursor) }
            state = following
            cursor.next += 1
        }
    }

    @inline(__always)
    private mutating func endNumber(_ byte: UInt8, _ cursor: inout StreamedCursor) -> Event {
        switch state {
        case .zero where byte &- 0x30 < 10: fail(.syntax(.leadingZero), at: cursor.offset)
        case .zero, .integer, .fraction, .exponentDigits: endValue()
        default: fail(.syntax(.invalidNumber), at: cursor.offset)
        }
    }

    /// Returns the state after a byte of a number, or nil if the byte cannot continue the number.
    @inline(__always)
    private func numberState(after byte: UInt8) -> State? {
        let isDigit = byte &- 0x30 < 10
        let isExponent = byte | 0x20 == UInt8(ascii: "e")
        switch state {
        case .minus: return isDigit ? (byte == 0x30 ? .zero : .integer) : nil
        case .zero, .integer: return byte == UInt8(ascii: ".") ? .point : isExponent ? .exponent : nil
        case .point: return isDigit ? .fraction : nil
        case .fraction: return isExponent ? .exponent : nil
        case .exponent where byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-"): return .exponentSign
        case .exponent, .exponentSign: return isDigit ? .exponentDigits : nil
        default: return nil
        }
    }

    /// Reads bytes of `true`, `false` or `null`.
    @inline(__always)
    mutating func readLiteral(_ cursor: inout StreamedCursor) -> Event {
        repeat {
            guard cursor.next.pointee == UInt8(truncatingIfNeeded: literal) else {
                return fail(.syntax(.invalidLiteral), at: cursor.offset)
            }
            literal >>= 8
            cursor.next += 1
        } while literal != 0 && !cursor.isAtEnd
        return literal == 0 ? endValue() : .proceed
    }

    /// Returns the bytes of a literal after the first, the next in the lowest byte; 0 if no literal starts with the byte.
    @inline(__always)
    static func literalRest(after byte: UInt8) -> UInt32 {
        switch byte {
        case UInt8(ascii: "t"): 0x65_7572
        case UInt8(ascii: "f"): 0x6573_6C61
        case UInt8(ascii: "n"): 0x6C_6C75
        default: 0
        }
    }
}
