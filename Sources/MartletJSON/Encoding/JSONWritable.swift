/// A type that writes itself as JSON, without containers.
///
/// The encoder calls ``writeJSON(to:)`` instead of `encode(to:)`. Keys are written as they are: key strategies do not apply.
/// The output sorts and indents as the encoder is set up.
package protocol JSONWritable {
    /// Writes exactly one value.
    ///
    /// - Throws: An error of the type, or `EncodingError` if the value is nested too deeply.
    func writeJSON(to output: inout JSONOutput) throws
}

extension JSONOutput {
    /// Begins an object. The members follow, each a ``key(_:)`` and a value, then ``endObject()``.
    ///
    /// - Throws: `EncodingError.invalidValue` if arrays and objects are nested too deeply.
    package mutating func beginObject() throws {
        try beginNested()
        openObject()
    }

    /// Ends the object begun last.
    package mutating func endObject() {
        if top.pointee.kind == .object { popFrame() }
    }

    /// Begins an array. The elements follow, then ``endArray()``.
    ///
    /// - Throws: `EncodingError.invalidValue` if arrays and objects are nested too deeply.
    package mutating func beginArray() throws {
        try beginNested()
        openArray()
    }

    /// Ends the array begun last.
    package mutating func endArray() {
        if top.pointee.kind == .array { popFrame() }
    }

    /// Writes the key of the next member. The key is escaped but not converted.
    package mutating func key(_ text: String) {
        if top.pointee.kind == .object { memberKey(text) }
    }

    /// Writes a string value.
    package mutating func string(_ text: String) {
        beginValue()
        putString(text)
    }

    /// Writes a number from its text, which must be a valid JSON number.
    package mutating func number(_ text: String) {
        beginValue()
        var text = text
        text.withUTF8 { put(UnsafeRawBufferPointer($0)) }
    }

    /// Writes an integer value.
    package mutating func number(_ value: Int) { number(Int64(value)) }

    /// Writes an integer value.
    package mutating func number(_ value: Int64) {
        beginValue()
        putInteger(value)
    }

    /// Writes a number value with the shortest digits.
    ///
    /// - Throws: `EncodingError.invalidValue` if `value` is infinite or not a number.
    package mutating func number(_ value: Double) throws {
        guard value.isFinite else {
            throw EncodingError.invalidValue(value, .init(codingPath: [], debugDescription: "\(value) is not a JSON number."))
        }
        beginValue()
        putDouble(value)
    }

    /// Writes `true` or `false`.
    package mutating func bool(_ value: Bool) {
        beginValue()
        putBool(value)
    }

    /// Writes `null`.
    package mutating func null() {
        beginValue()
        putASCII("null")
    }

    @inline(__always)
    mutating func putBool(_ value: Bool) {
        if value { putASCII("true") } else { putASCII("false") }
    }

    @inline(__always)
    private mutating func beginValue() {
        switch top.pointee.kind {
        case .array: beginElement()
        case .undecided: top.pointee.kind = .scalar
        case .object: break
        case .scalar: top.pointee.flags.insert(.mixed)
        }
    }

    private mutating func beginNested() throws {
        guard top.pointee.depth < options.maxDepth else { throw depthError(codingPath: []) }
        beginValue()
        guard pushFrame() else { throw depthError(codingPath: []) }
    }

    func depthError(codingPath: [any CodingKey]) -> EncodingError {
        let text = "The value is nested deeper than \(options.maxDepth) arrays and objects."
        return .invalidValue(options.maxDepth, .init(codingPath: codingPath, debugDescription: text))
    }
}
