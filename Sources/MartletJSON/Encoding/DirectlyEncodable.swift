internal import MartletEssentials

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

extension Optional: DirectlyEncodable where Wrapped: Encodable {
    static func write(at pointer: UnsafeRawPointer, to state: JSONEncodingState) throws {
        switch pointer.assumingMemoryBound(to: Self.self).pointee {
        case .none: state.output.putASCII("null")
        case .some(let wrapped): try state.write(wrapped)
        }
    }
}

extension Array: DirectlyEncodable where Element: Encodable {
    static func write(at pointer: UnsafeRawPointer, to state: JSONEncodingState) throws {
        try pointer.assumingMemoryBound(to: Self.self).pointee.withUnsafeBufferPointer { try state.writeArray($0) }
    }
}

extension Dictionary: DirectlyEncodable where Key: Encodable, Value: Encodable {
    static func write(at pointer: UnsafeRawPointer, to state: JSONEncodingState) throws {
        if Key.self == String.self {
            // `Key` is `String` here, so both are the same type.
            try state.writeDictionary(pointer.assumingMemoryBound(to: [String: Value].self).pointee)
        } else {
            try state.pushFrame()
            state.output.top.pointee.flags.insert(.dictionary)
            let encoder = JSONValueEncoder(state: state, serial: state.output.current)
            try pointer.assumingMemoryBound(to: Self.self).pointee.encode(to: encoder)
            try state.closeFrame()
        }
    }
}

extension JSONEncodingState {
    // MARK: Arrays

    func writeArray<Element: Encodable>(_ elements: UnsafeBufferPointer<Element>) throws {
        try pushFrame()
        output.openArray()
        try checkDepth()
        if Element.self == Double.self {
            for number in rebind(elements, to: Double.self) {
                output.beginElement()
                try writeDouble(number)
            }
        } else if Element.self == String.self {
            for text in rebind(elements, to: String.self) {
                output.beginElement()
                output.putString(text)
            }
        } else if Element.self == Int.self {
            for number in rebind(elements, to: Int.self) {
                output.beginElement()
                output.putInteger(number)
            }
        } else {
            try writeElements(elements)
        }
        try closeFrame()
    }

    /// Returns the elements under their actual type. The caller has compared the types.
    private func rebind<Element, Known>(_ elements: UnsafeBufferPointer<Element>, to _: Known.Type) -> UnsafeBufferPointer<Known> {
        UnsafeBufferPointer(start: UnsafeRawPointer(elements.baseAddress)?.assumingMemoryBound(to: Known.self), count: elements.count)
    }

    private func writeElements<Element: Encodable>(_ elements: UnsafeBufferPointer<Element>) throws {
        guard let first = elements.baseAddress else { return }
        let route = context.route(for: Element.self)
        for index in 0..<elements.count {
            output.beginElement()
            if let route {
                try route.write(at: UnsafeRawPointer(first + index), to: self)
            } else {
                try writeFrame(first[index])
            }
        }
    }

    private func checkDepth() throws {
        if output.top.pointee.flags.contains(.tooDeep) { throw output.depthError(codingPath: framePath(output.frameCount - 1)) }
    }

    // MARK: Dictionaries

    /// Writes a dictionary with unchanged keys. They are sorted when the frame ends.
    func writeDictionary<Value: Encodable>(_ dictionary: [String: Value]) throws {
        try pushFrame()
        output.top.pointee.flags.insert(.dictionary)
        output.openObject()
        try checkDepth()
        if Value.self == String.self {
            for (key, value) in unsafeBitCast(dictionary, to: [String: String].self) {
                output.memberKey(key)
                output.putString(value)
            }
        } else if Value.self == Int.self {
            for (key, value) in unsafeBitCast(dictionary, to: [String: Int].self) {
                output.memberKey(key)
                output.putInteger(value)
            }
        } else if Value.self == Bool.self {
            for (key, value) in unsafeBitCast(dictionary, to: [String: Bool].self) {
                output.memberKey(key)
                output.putBool(value)
            }
        } else {
            try writeMembers(dictionary)
        }
        try closeFrame()
    }

    private func writeMembers<Value: Encodable>(_ dictionary: [String: Value]) throws {
        let frame = output.frameCount - 1
        for (key, value) in dictionary {
            output.memberKey(key)
            try withUnsafePointer(to: JSONCodingKey(name: key)) { pointer in
                // If the value throws, the enclosing container drops the frame before the pointer is read again.
                output.frames[frame].childKey = UnsafeRawPointer(pointer)
                output.frames[frame].childKeyType = JSONCodingKey.self
                try write(value)
                output.frames[frame].childKey = nil
            }
        }
    }
}

extension Date: DirectlyEncodable {
    static func write(at pointer: UnsafeRawPointer, to state: JSONEncodingState) throws {
        let date = pointer.assumingMemoryBound(to: Date.self).pointee
        switch state.context.settings.dateEncodingStrategy {
        case .deferredToDate: try state.writeDouble(date.timeIntervalSinceReferenceDate)
        case .secondsSince1970: try state.writeDouble(date.timeIntervalSince1970)
        case .millisecondsSince1970: try state.writeDouble(date.timeIntervalSince1970 * 1000)
        case .iso8601: try writeISO8601(date, hasFraction: false, to: state)
        case .iso8601WithFractionalSeconds: try writeISO8601(date, hasFraction: true, to: state)
        case .custom(let encode): try state.writeFrame { try encode(date, $0) }
        }
    }

    private static func writeISO8601(_ date: Date, hasFraction: Bool, to state: JSONEncodingState) throws {
        guard let timestamp = ISO8601Timestamp(secondsSince2001: date.timeIntervalSinceReferenceDate, hasFraction: hasFraction) else {
            // The error has the number: `Date.description` traps for some dates far from today.
            let seconds = date.timeIntervalSinceReferenceDate
            throw state.invalid(seconds, state.openPath(), "The date is outside the years 1 to 9999 of ISO 8601.")
        }
        state.output.putTimestamp(timestamp)
    }
}

extension Data: DirectlyEncodable {
    static func write(at pointer: UnsafeRawPointer, to state: JSONEncodingState) throws {
        let data = pointer.assumingMemoryBound(to: Data.self).pointee
        switch state.context.settings.dataEncodingStrategy {
        case .base64: data.withUnsafeBytes { state.output.putBase64($0) }
        case .deferredToData: try state.writeFrame(data.encode(to:))
        case .custom(let encode): try state.writeFrame { try encode(data, $0) }
        }
    }
}

extension URL: DirectlyEncodable {
    static func write(at pointer: UnsafeRawPointer, to state: JSONEncodingState) throws {
        state.output.putString(pointer.assumingMemoryBound(to: URL.self).pointee.absoluteString)
    }
}

extension Decimal: DirectlyEncodable {
    static func write(at pointer: UnsafeRawPointer, to state: JSONEncodingState) throws {
        let number = pointer.assumingMemoryBound(to: Decimal.self).pointee
        if number.isNaN { throw state.invalid(number, state.openPath(), "Decimal NaN is not a JSON number.") }
        var text = number.description
        text.withUTF8 { state.output.put(UnsafeRawBufferPointer($0)) }
    }
}
