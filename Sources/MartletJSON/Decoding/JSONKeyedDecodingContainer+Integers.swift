/// Integers of an object's members.
extension JSONKeyedDecodingContainer {
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try state.integer(type, value(key)) }

    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        try valueIfPresent(key).map { try state.integer(type, $0) }
    }

    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try state.integer(type, value(key)) }

    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
        try valueIfPresent(key).map { try state.integer(type, $0) }
    }

    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try state.integer(type, value(key)) }

    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
        try valueIfPresent(key).map { try state.integer(type, $0) }
    }

    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try state.integer(type, value(key)) }

    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
        try valueIfPresent(key).map { try state.integer(type, $0) }
    }

    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try state.integer(type, value(key)) }

    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
        try valueIfPresent(key).map { try state.integer(type, $0) }
    }

    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try state.integer(type, value(key)) }

    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
        try valueIfPresent(key).map { try state.integer(type, $0) }
    }

    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try state.integer(type, value(key)) }

    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
        try valueIfPresent(key).map { try state.integer(type, $0) }
    }

    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try state.integer(type, value(key)) }

    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
        try valueIfPresent(key).map { try state.integer(type, $0) }
    }

    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try state.integer(type, value(key)) }

    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
        try valueIfPresent(key).map { try state.integer(type, $0) }
    }

    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try state.integer(type, value(key)) }

    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
        try valueIfPresent(key).map { try state.integer(type, $0) }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try state.integer(type, value(key)) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? {
        try valueIfPresent(key).map { try state.integer(type, $0) }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try state.integer(type, value(key)) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? {
        try valueIfPresent(key).map { try state.integer(type, $0) }
    }
}
