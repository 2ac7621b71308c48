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
