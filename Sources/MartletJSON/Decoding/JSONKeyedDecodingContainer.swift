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
}
