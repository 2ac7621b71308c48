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
