/// A type of the standard library or Foundation that the encoder writes without `encode(to:)`.
///
/// Conformance is determined once per type and encoding. The value is passed as a pointer to avoid generic code.
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

extension FixedWidthInteger where Self: DirectlyEncodable {
    static func write(at pointer: UnsafeRawPointer, to state: JSONEncodingState) throws {
        state.output.putInteger(pointer.assumingMemoryBound(to: Self.self).pointee)
    }
}

extension Int: DirectlyEncodable {}
extension Int8: DirectlyEncodable {}
extension Int16: DirectlyEncodable {}
extension Int32: DirectlyEncodable {}
extension Int64: DirectlyEncodable {}
extension UInt: DirectlyEncodable {}
extension UInt8: DirectlyEncodable {}
extension UInt16: DirectlyEncodable {}
extension UInt32: DirectlyEncodable {}
extension UInt64: DirectlyEncodable {}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension Int128: DirectlyEncodable {}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension UInt128: DirectlyEncodable {}
