extension JSONDecodingState {
    @inline(__always)
    func string(_ place: Int) throws -> String {
        let entry = entry(place)
        guard entry.rawKind == JSONEntry.Kind.string.rawValue || entry.rawKind == JSONEntry.Kind.escapedString.rawValue else {
            throw mismatch(String.self, place)
        }
        return index.text(entry)
    }

    @inline(__always)
    func bool(_ place: Int) throws -> Bool {
        switch entry(place).kind {
        case .true: return true
        case .false: return false
        default: throw mismatch(Bool.self, place)
        }
    }

    @inline(__always)
    func integer<Value: FixedWidthInteger>(_ type: Value.Type, _ place: Int) throws -> Value {
        let entry = entry(place), isPlain = entry.rawKind == JSONEntry.Kind.integer.rawValue
        guard isPlain || entry.rawKind == JSONEntry.Kind.number.rawValue else { throw mismatch(type, place) }
        let value = JSONInteger.value(type, index.bytes + entry.offset, index.numberLength(entry), isPlain: isPlain)
        guard let value else { throw notRepresentable(type, place) }
        return value
    }

    @inline(__always)
    func double(_ place: Int) throws -> Double { try number(place, JSONDouble.double) }

    func float(_ place: Int) throws -> Float { try number(place, JSONDouble.float) }

    @inline(__always)
    private func number<Value: BinaryFloatingPoint>(
        _ place: Int, _ read: (_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Value?
    ) throws -> Value {
        let entry = entry(place)
        guard entry.rawKind == JSONEntry.Kind.integer.rawValue || entry.rawKind == JSONEntry.Kind.number.rawValue else {
            return Value(try nonConforming(Value.self, place))
        }
        guard let value = read(index.bytes + entry.offset, index.numberLength(entry)) else { throw notRepresentable(Value.self, place) }
        return value
    }

    /// Returns the infinity or NaN that a string represents under the decoder's strategy.
    @inline(never)
    private func nonConforming(_ type: Any.Type, _ place: Int) throws -> Double {
        guard case .convertFromString(let positive, let negative, let nan) = options.nonConformingFloatDecodingStrategy,
            entry(place).kind == .string || entry(place).kind == .escapedString
        else { throw mismatch(type, place) }
        switch index.text(entry(place)) {
        case positive: return .infinity
        case negative: return -.infinity
        case nan: return .nan
        default: throw mismatch(type, place)
        }
    }
}
