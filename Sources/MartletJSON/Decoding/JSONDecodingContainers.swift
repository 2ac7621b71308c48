/// The members of an object.
struct JSONKeyedDecodingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let state: JSONDecodingState
    /// The place of the object in the index.
    let object: Int
    private let names: UnsafeMutablePointer<JSONKeyName>?

    @inline(__always)
    init(state: JSONDecodingState, object: Int) throws {
        let kind = state.entry(object).rawKind
        if kind == JSONEntry.Kind.object.rawValue {
            try state.prepare(object)
        } else if kind != JSONEntry.Kind.preparedObject.rawValue {
            throw state.mismatch([String: Any].self, object)
        }
        self.state = state
        self.object = object
        names = state.nameMemory.names(of: Key.self)
    }

    var codingPath: [any CodingKey] { state.path(object) }

    var allKeys: [Key] {
        var keys: [Key] = []
        state.index.forEachKey(of: object) { place in
            let entry = state.entry(place)
            if !entry.isDuplicateKey, let key = Key(stringValue: state.keys.text(entry, in: state.index)) { keys.append(key) }
        }
        return keys
    }

    func contains(_ key: Key) -> Bool { state.find(key.stringValue, in: object) >= 0 }

    func decodeNil(forKey key: Key) throws -> Bool { state.isNull(try value(key)) }

    /// Returns the place of a key's value.
    @inline(__always)
    func value(_ key: Key) throws -> Int {
        let place = state.find(key, in: object, names)
        guard place >= 0 else { throw state.notFound(key, object) }
        return place
    }

    /// Returns the place of a key's value, or nil if it is missing or null.
    @inline(__always)
    func valueIfPresent(_ key: Key) -> Int? {
        let place = state.find(key, in: object, names)
        return place < 0 || state.isNull(place) ? nil : place
    }

    // MARK: Containers

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        KeyedDecodingContainer(try JSONKeyedDecodingContainer<NestedKey>(state: state, object: value(key)))
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try JSONUnkeyedDecodingContainer(state: state, array: value(key))
    }

    func superDecoder() throws -> any Decoder { try superDecoder(JSONCodingKey.super) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try superDecoder(key) }

    /// Returns the decoder of a member. A missing member decodes as null.
    private func superDecoder(_ key: some CodingKey) throws -> any Decoder {
        let place = state.find(key.stringValue, in: object)
        guard place < 0 else { return JSONValueDecoder(state: state, place: place) }
        return try JSONValueDecoder.null(options: state.options, path: state.path(object, key))
    }

    // MARK: Values

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try state.decode(type, at: value(key)) }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        guard let place = valueIfPresent(key) else { return nil }
        return try state.decode(type, at: place)
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try state.bool(value(key)) }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        try valueIfPresent(key).map { try state.bool($0) }
    }

    func decode(_ type: String.Type, forKey key: Key) throws -> String { try state.string(value(key)) }

    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try valueIfPresent(key).map { try state.string($0) }
    }

    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try state.double(value(key)) }

    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        try valueIfPresent(key).map { try state.double($0) }
    }

    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try state.float(value(key)) }

    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
        try valueIfPresent(key).map { try state.float($0) }
    }

    // MARK: Integers

    @inline(__always)
    func decode<Value: FixedWidthInteger & Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try state.integer(type, value(key))
    }

    @inline(__always)
    private func integerIfPresent<Value: FixedWidthInteger>(_ type: Value.Type, _ key: Key) throws -> Value? {
        try valueIfPresent(key).map { try state.integer(type, $0) }
    }

    // The default implementations take precedence over a generic method, so each type needs its own.
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try integerIfPresent(type, key) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try state.integer(type, value(key)) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? { try integerIfPresent(type, key) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try state.integer(type, value(key)) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? { try integerIfPresent(type, key) }
}

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

/// The decoder of one value. It is its own single-value container.
struct JSONValueDecoder: Decoder {
    let state: JSONDecodingState
    let place: Int

    var codingPath: [any CodingKey] { state.path(place) }
    var userInfo: [CodingUserInfoKey: Any] { state.options.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(try JSONKeyedDecodingContainer<Key>(state: state, object: place))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try JSONUnkeyedDecodingContainer(state: state, array: place) }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    /// Returns a decoder for a missing value, which decodes as null.
    static func null(options: JSONBodyDecoder, path: [any CodingKey]) throws -> JSONValueDecoder {
        var text: (UInt8, UInt8, UInt8, UInt8) = (0x6E, 0x75, 0x6C, 0x6C)
        let state = try withUnsafeBytes(of: &text) { bytes in
            let state = try JSONDecodingState(bytes.bindMemory(to: UInt8.self), options: options, rootPath: path)
            state.copyBytes()
            return state
        }
        return JSONValueDecoder(state: state, place: 0)
    }
}

/// The single-value containers of ``JSONBodyDecoder``, which decode a ``JSONValue`` in linear time.
package protocol JSONIndexedContainer: SingleValueDecodingContainer {}

extension JSONValueDecoder: JSONIndexedContainer {
    func decodeNil() -> Bool { state.isNull(place) }
    func decode(_ type: Bool.Type) throws -> Bool { try state.bool(place) }
    func decode(_ type: String.Type) throws -> String { try state.string(place) }
    func decode(_ type: Double.Type) throws -> Double { try state.double(place) }
    func decode(_ type: Float.Type) throws -> Float { try state.float(place) }
    @inline(__always)
    func decode<Value: FixedWidthInteger & Decodable>(_ type: Value.Type) throws -> Value { try state.integer(type, place) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: Int128.Type) throws -> Int128 { try state.integer(type, place) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: UInt128.Type) throws -> UInt128 { try state.integer(type, place) }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try state.decode(type, at: place) }
}
