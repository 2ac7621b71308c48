/// The values of a ``JSONValue``, with the commas between elements.
extension JSONOutput {
    /// Begins an object. The members follow, each a ``memberKey(_:)`` and a value, then ``popFrame()``.
    ///
    /// - Throws: `EncodingError.invalidValue` if arrays and objects are nested too deeply.
    mutating func beginObject() throws {
        try beginNested()
        openObject()
    }

    /// Begins an array. The elements follow, then ``popFrame()``.
    ///
    /// - Throws: `EncodingError.invalidValue` if arrays and objects are nested too deeply.
    mutating func beginArray() throws {
        try beginNested()
        openArray()
    }

    /// Writes a string value.
    mutating func string(_ text: String) {
        beginValue()
        putString(text)
    }

    /// Writes a number from its text, which must be a valid JSON number.
    mutating func number(_ text: String) {
        beginValue()
        var text = text
        text.withUTF8 { put(UnsafeRawBufferPointer($0)) }
    }

    /// Writes an integer value.
    mutating func number(_ value: Int64) {
        beginValue()
        putInteger(value)
    }

    /// Writes `true` or `false`.
    mutating func bool(_ value: Bool) {
        beginValue()
        putBool(value)
    }

    /// Writes `null`.
    mutating func null() {
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
        case .object, .scalar: break
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
