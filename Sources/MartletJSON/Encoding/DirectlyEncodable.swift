/// A type of the standard library or Foundation that the encoder writes without `encode(to:)`.
///
/// Which types conform is found out once per type and encoding. The value is passed as a pointer, so that no generic code is in between.
protocol DirectlyEncodable {
    /// Writes the value that `pointer` points to at the current position of `state`.
    ///
    /// `pointer` points to an initialized value of this type.
    static func write(at pointer: UnsafeRawPointer, to state: JSONEncodingState) throws
}

extension Bool: DirectlyEncodable {
    static func write(at pointer: UnsafeRawPointer, to state: JSONEncodingState) throws {
        state.output.putBool(pointer.load(as: Self.self))
    }
}

extension String: DirectlyEncodable {
    static func write(at pointer: UnsafeRawPointer, to state: JSONEncodingState) throws {
        state.output.putString(pointer.assumingMemoryBound(to: String.self).pointee)
    }
}

extension Double: DirectlyEncodable {
    static func write(at pointer: UnsafeRawPointer, to state: JSONEncodingState) throws {
        try state.writeDouble(pointer.load(as: Self.self))
    }
}

extension Float: DirectlyEncodable {
    static func write(at pointer: UnsafeRawPointer, to state: JSONEncodingState) throws {
        try state.writeFloat(pointer.load(as: Self.self))
    }
}

extension Int: DirectlyEncodable {
    static func write(at pointer: UnsafeRawPointer, to state: JSONEncodingState) throws {
        state.output.putInteger(Int64(pointer.load(as: Self.self)))
    }
}

extension Int8: DirectlyEncodable {
    static func write(at pointer: UnsafeRawPointer, to state: JSONEncodingState) throws {
        state.output.putInteger(Int64(pointer.load(as: Self.self)))
    }
}

extension Int16: DirectlyEncodable {
    static func write(at pointer: UnsafeRawPointer, to state: JSONEncodingState) throws {
        state.output.putInteger(Int64(pointer.load(as: Self.self)))
    }
}

extension Int32: DirectlyEncodable {
    static func write(at pointer: UnsafeRawPointer, to state: JSONEncodingState) throws {
        state.output.putInteger(Int64(pointer.load(as: Self.self)))
    }
}

extension Int64: DirectlyEncodable {
    static func write(at pointer: UnsafeRawPointer, to state: JSONEncodingState) throws {
        state.output.putInteger(Int64(pointer.load(as: Self.self)))
    }
}

extension UInt8: DirectlyEncodable {
    static func write(at pointer: UnsafeRawPointer, to state: JSONEncodingState) throws {
        state.output.putInteger(UInt64(pointer.load(as: Self.self)))
    }
}

extension UInt16: DirectlyEncodable {
    static func write(at pointer: UnsafeRawPointer, to state: JSONEncodingState) throws {
        state.output.putInteger(UInt64(pointer.load(as: Self.self)))
    }
}

extension UInt32: DirectlyEncodable {
    static func write(at pointer: UnsafeRawPointer, to state: JSONEncodingState) throws {
        state.output.putInteger(UInt64(pointer.load(as: Self.self)))
    }
}

extension UInt64: DirectlyEncodable {
    static func write(at pointer: UnsafeRawPointer, to state: JSONEncodingState) throws {
        state.output.putInteger(UInt64(pointer.load(as: Self.self)))
    }
}

extension UInt: DirectlyEncodable {
    static func write(at pointer: UnsafeRawPointer, to state: JSONEncodingState) throws {
        state.output.putInteger(UInt64(pointer.load(as: Self.self)))
    }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension Int128: DirectlyEncodable {
    static func write(at pointer: UnsafeRawPointer, to state: JSONEncodingState) throws {
        state.output.putWide(pointer.load(as: Self.self))
    }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension UInt128: DirectlyEncodable {
    static func write(at pointer: UnsafeRawPointer, to state: JSONEncodingState) throws {
        state.output.putWide(pointer.load(as: Self.self))
    }
}
