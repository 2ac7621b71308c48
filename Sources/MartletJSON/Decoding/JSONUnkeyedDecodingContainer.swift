/// The elements of an array.
struct JSONUnkeyedDecodingContainer: UnkeyedDecodingContainer {
    let state: JSONDecodingState
    /// The place of the array in the index.
    private let array: UInt32
    private(set) var currentIndex = 0
    /// The place of the next element.
    private var place: UInt32

    init(state: JSONDecodingState, array: Int) throws {
        guard state.entry(array).kind == .array else { throw state.mismatch([Any].self, array) }
        self.state = state
        self.array = UInt32(array)
        place = UInt32(array) + 1
    }

    var codingPath: [any CodingKey] { state.path(Int(array)) }
    var count: Int? { state.elementCount(Int(array)) }
    var isAtEnd: Bool { Int(place) >= state.entry(Int(array)).next }

    /// Returns the place of the next element. Throws at the end of the array.
    @inline(__always)
    private func next(_ type: Any.Type) throws -> Int {
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                type,
                DecodingError.Context(
                    codingPath: state.path(Int(array), JSONCodingKey(index: currentIndex)),
                    debugDescription: "The array has no more elements"))
        }
        return Int(place)
    }

    /// Moves to the following element. An element that could not be decoded is not skipped.
    @inline(__always)
    private mutating func advance() {
        place = UInt32(truncatingIfNeeded: state.index.next(after: Int(place)))
        currentIndex &+= 1
    }

    // MARK: Containers

    mutating func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type) throws -> KeyedDecodingContainer<NestedKey> {
        let container = try JSONKeyedDecodingContainer<NestedKey>(state: state, object: next(KeyedDecodingContainer<NestedKey>.self))
        advance()
        return KeyedDecodingContainer(container)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try JSONUnkeyedDecodingContainer(state: state, array: next((any UnkeyedDecodingContainer).self))
        advance()
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = JSONValueDecoder(state: state, place: try next((any Decoder).self))
        advance()
        return decoder
    }

    // MARK: Values

    mutating func decodeNil() throws -> Bool {
        guard state.isNull(try next(Never.self)) else { return false }
        advance()
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decode(type) { try $0.decode(type, at: $1) } }

    /// Decodes the next element and moves to the one after it.
    @inline(__always)
    private mutating func decode<Value>(_ type: Value.Type, _ decode: (JSONDecodingState, _ place: Int) throws -> Value) throws -> Value {
        let value = try decode(state, next(type))
        advance()
        return value
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try decode(type) { try $0.bool($1) } }
    mutating func decode(_ type: String.Type) throws -> String { try decode(type) { try $0.string($1) } }
    mutating func decode(_ type: Double.Type) throws -> Double { try decode(type) { try $0.double($1) } }
    mutating func decode(_ type: Float.Type) throws -> Float { try decode(type) { try $0.float($1) } }
    @inline(__always)
    mutating func decode<Value: FixedWidthInteger & Decodable>(_ type: Value.Type) throws -> Value {
        try decode(type) { try $0.integer(type, $1) }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try decode(type) { try $0.integer(type, $1) } }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try decode(type) { try $0.integer(type, $1) } }
}
