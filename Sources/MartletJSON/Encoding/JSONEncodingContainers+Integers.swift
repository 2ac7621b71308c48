// The remaining number types of the containers.

extension JSONKeyedEncodingContainer {
    mutating func encode(_ value: Int8, forKey key: Key) throws {
        try writeKey(key)
        state.output.putInteger(Int64(value))
    }

    mutating func encode(_ value: Int16, forKey key: Key) throws {
        try writeKey(key)
        state.output.putInteger(Int64(value))
    }

    mutating func encode(_ value: Int32, forKey key: Key) throws {
        try writeKey(key)
        state.output.putInteger(Int64(value))
    }

    mutating func encode(_ value: Int64, forKey key: Key) throws {
        try writeKey(key)
        state.output.putInteger(Int64(value))
    }

    mutating func encode(_ value: UInt8, forKey key: Key) throws {
        try writeKey(key)
        state.output.putInteger(UInt64(value))
    }

    mutating func encode(_ value: UInt16, forKey key: Key) throws {
        try writeKey(key)
        state.output.putInteger(UInt64(value))
    }

    mutating func encode(_ value: UInt32, forKey key: Key) throws {
        try writeKey(key)
        state.output.putInteger(UInt64(value))
    }

    mutating func encode(_ value: UInt64, forKey key: Key) throws {
        try writeKey(key)
        state.output.putInteger(UInt64(value))
    }

    mutating func encode(_ value: UInt, forKey key: Key) throws {
        try writeKey(key)
        state.output.putInteger(UInt64(value))
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func encode(_ value: Int128, forKey key: Key) throws {
        try writeKey(key)
        state.output.putWide(value)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func encode(_ value: UInt128, forKey key: Key) throws {
        try writeKey(key)
        state.output.putWide(value)
    }
}

extension JSONUnkeyedEncodingContainer {
    mutating func encode(_ value: Int8) throws {
        try beginElement(value)
        state.output.putInteger(Int64(value))
    }

    mutating func encode(_ value: Int16) throws {
        try beginElement(value)
        state.output.putInteger(Int64(value))
    }

    mutating func encode(_ value: Int32) throws {
        try beginElement(value)
        state.output.putInteger(Int64(value))
    }

    mutating func encode(_ value: Int64) throws {
        try beginElement(value)
        state.output.putInteger(Int64(value))
    }

    mutating func encode(_ value: UInt8) throws {
        try beginElement(value)
        state.output.putInteger(UInt64(value))
    }

    mutating func encode(_ value: UInt16) throws {
        try beginElement(value)
        state.output.putInteger(UInt64(value))
    }

    mutating func encode(_ value: UInt32) throws {
        try beginElement(value)
        state.output.putInteger(UInt64(value))
    }

    mutating func encode(_ value: UInt64) throws {
        try beginElement(value)
        state.output.putInteger(UInt64(value))
    }

    mutating func encode(_ value: UInt) throws {
        try beginElement(value)
        state.output.putInteger(UInt64(value))
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func encode(_ value: Int128) throws {
        try beginElement(value)
        state.output.putWide(value)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func encode(_ value: UInt128) throws {
        try beginElement(value)
        state.output.putWide(value)
    }
}

extension JSONSingleValueEncodingContainer {
    mutating func encode(_ value: Int8) throws {
        try beginValue(value)
        state.output.putInteger(Int64(value))
    }

    mutating func encode(_ value: Int16) throws {
        try beginValue(value)
        state.output.putInteger(Int64(value))
    }

    mutating func encode(_ value: Int32) throws {
        try beginValue(value)
        state.output.putInteger(Int64(value))
    }

    mutating func encode(_ value: Int64) throws {
        try beginValue(value)
        state.output.putInteger(Int64(value))
    }

    mutating func encode(_ value: UInt8) throws {
        try beginValue(value)
        state.output.putInteger(UInt64(value))
    }

    mutating func encode(_ value: UInt16) throws {
        try beginValue(value)
        state.output.putInteger(UInt64(value))
    }

    mutating func encode(_ value: UInt32) throws {
        try beginValue(value)
        state.output.putInteger(UInt64(value))
    }

    mutating func encode(_ value: UInt64) throws {
        try beginValue(value)
        state.output.putInteger(UInt64(value))
    }

    mutating func encode(_ value: UInt) throws {
        try beginValue(value)
        state.output.putInteger(UInt64(value))
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func encode(_ value: Int128) throws {
        try beginValue(value)
        state.output.putWide(value)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func encode(_ value: UInt128) throws {
        try beginValue(value)
        state.output.putWide(value)
    }
}
