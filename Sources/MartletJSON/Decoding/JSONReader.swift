/// Reads the values of a JSON document (RFC 8259) in order, for types that are ``JSONReadable``.
///
/// It validates all that it reads or skips: the grammar, UTF-8, and the decoder's limits. It refuses what it can't read exactly as the
/// decoder does otherwise, such as a member that occurs twice or a key with an escape.
public struct JSONReader: ~Copyable {
    /// A document that can't be read in one pass. The decoder then decodes it by `init(from:)`, which throws the error, if there is one.
    public struct Refusal: Error {
        /// Creates a refusal, for a value that your type can't have.
        public init() {}
    }

    /// The name of the current member. Its length is -1 if the member has been read.
    @usableFromInline var name: UnsafePointer<UInt8>
    @usableFromInline var nameLength = -1
    private let bytes: UnsafePointer<UInt8>
    private let end: Int
    private let decoder: JSONBodyDecoder
    private let maxDepth: Int
    private var place: Int
    private var depth = 0
    private var values = 1
    /// Whether a container has begun and none of its values was read.
    private var isFirst = false

    /// Types and skipped values recurse. A document with deeper values is decoded by `init(from:)`.
    private static let maxRecursion = 512

    private init(_ bytes: UnsafePointer<UInt8>, _ count: Int, _ decoder: JSONBodyDecoder) {
        self.bytes = bytes
        name = bytes
        end = count
        self.decoder = decoder
        maxDepth = min(decoder.limits.maxDepth, JSONReader.maxRecursion)
        place = JSONIndexer.startsWithMark(UnsafeBufferPointer(start: bytes, count: count)) ? 3 : 0
    }

    /// Returns the value of a document, or nil if it must be decoded by `init(from:)`.
    static func value<Value: JSONReadable>(
        _ type: Value.Type, _ document: UnsafeBufferPointer<UInt8>, _ decoder: JSONBodyDecoder
    ) -> Value? {
        guard let bytes = document.baseAddress else { return nil }
        var reader = JSONReader(bytes, document.count, decoder)
        guard let value = try? Value(json: &reader), reader.isAtEnd() else { return nil }
        return value
    }

    private mutating func isAtEnd() -> Bool {
        _ = next()
        return place == end && depth == 0
    }

    // MARK: Objects

    /// Begins an object, whose members ``nextMember()`` goes through.
    public mutating func beginObject() throws(Refusal) { try begin(UInt8(ascii: "{")) }

    /// Goes to the next member of the innermost object. The member must be read or skipped before the next call.
    ///
    /// - Returns: False at the end of the object.
    public mutating func nextMember() throws(Refusal) -> Bool {
        guard let hasEscape = try advanceToMember() else { return false }
        // No name that a type asks for has an escape. One with an escape may be equal to it, but only its unescaped text would show that.
        if hasEscape { throw Refusal() }
        return true
    }

    /// Reads the value of the current member if the member has a name. Otherwise it does nothing.
    ///
    /// A variable that has a value already is a member that occurs twice, which is refused. For an optional property, use a variable with
    /// two levels, such as `var weight: Double??`. It stays nil if the member is missing.
    ///
    /// - Returns: Whether the member has the name.
    @inlinable
    public mutating func read<Value: JSONReadable>(_ name: StaticString, _ value: inout Value?) throws(Refusal) -> Bool {
        guard try takes(name, into: value) else { return false }
        value = try Value(json: &self)
        return true
    }

    /// Reads the value of the current member if the member has a name, by its `init(from:)` and with the decoder's formats for dates and
    /// data. Otherwise like ``read(_:_:)``.
    public mutating func decode<Value: Decodable>(_ name: StaticString, _ value: inout Value?) throws(Refusal) -> Bool {
        guard try takes(name, into: value) else { return false }
        value = try decoded()
        return true
    }

    /// Whether the current member has a name, so that its value is to be read into a variable. Throws if the variable has a value.
    @inlinable @inline(__always)
    mutating func takes<Value>(_ name: StaticString, into value: Value?) throws(Refusal) -> Bool {
        guard nameLength == name.utf8CodeUnitCount else { return false }
        let text = name.utf8Start
        for index in 0..<nameLength where self.name[index] != text[index] { return false }
        if case .some = value { throw Refusal() }
        nameLength = -1
        return true
    }

    /// Returns the value of a required member.
    @inlinable
    public func required<Value>(_ value: consuming Value?) throws(Refusal) -> Value {
        guard let value else { throw Refusal() }
        return value
    }

    // MARK: Arrays

    /// Begins an array, whose elements ``nextElement()`` goes through.
    public mutating func beginArray() throws(Refusal) { try begin(UInt8(ascii: "[")) }

    /// Goes to the next element of the innermost array, which must be read or skipped before the next call.
    ///
    /// - Returns: False at the end of the array.
    public mutating func nextElement() throws(Refusal) -> Bool { try advance(UInt8(ascii: "]")) }

    // MARK: Values

    /// Reads a string.
    public mutating func string() throws(Refusal) -> String {
        guard next() == UInt8(ascii: "\"") else { throw Refusal() }
        let (start, length, hasEscape) = try text()
        let content = UnsafeBufferPointer(start: bytes + start, count: length)
        return hasEscape ? JSONIndex.unescaped(content) : String(decoding: content, as: UTF8.self)
    }

    /// Reads `true` or `false`.
    public mutating func bool() throws(Refusal) -> Bool {
        switch next() {
        case UInt8(ascii: "t"):
            try literal("true")
            return true
        case UInt8(ascii: "f"):
            try literal("false")
            return false
        default: throw Refusal()
        }
    }

    /// Reads a number that is an integer of a type, such as `1`, `1.0` or `1e3`.
    public mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type) throws(Refusal) -> Value {
        let (start, isPlain) = try number()
        return try required(JSONInteger.value(type, bytes + start, place &- start, isPlain: isPlain))
    }

    /// Reads a number.
    public mutating func double() throws(Refusal) -> Double {
        let (start, _) = try number()
        return try required(JSONDouble.double(bytes + start, place &- start))
    }

    /// Reads a number.
    public mutating func float() throws(Refusal) -> Float {
        let (start, _) = try number()
        return try required(JSONDouble.float(bytes + start, place &- start))
    }

    /// Returns a value that is decoded by `init(from:)`, with the decoder's formats for dates and data.
    public mutating func decoded<Value: Decodable>(_ type: Value.Type = Value.self) throws(Refusal) -> Value {
        _ = next()
        let start = place
        try skip()
        let content = UnsafeBufferPointer(start: bytes + start, count: place &- start)
        do { return try decoder.decodeIndexed(type, from: content) } catch { throw Refusal() }
    }

    /// Whether the next value is `null`, which is then read.
    public mutating func skipNull() throws(Refusal) -> Bool {
        guard next() == UInt8(ascii: "n") else { return false }
        try literal("null")
        return true
    }

    /// Skips a value, with everything in it.
    public mutating func skip() throws(Refusal) {
        switch next() {
        case UInt8(ascii: "\""): _ = try text()
        case UInt8(ascii: "{"):
            try beginObject()
            while try advanceToMember() != nil { try skip() }
        case UInt8(ascii: "["):
            try beginArray()
            while try nextElement() { try skip() }
        case UInt8(ascii: "t"): try literal("true")
        case UInt8(ascii: "f"): try literal("false")
        case UInt8(ascii: "n"): try literal("null")
        default: _ = try number()
        }
    }

    // MARK: Bytes

    /// Skips white space and returns the next byte, or 0 at the end.
    @inline(__always)
    private mutating func next() -> UInt8 { JSONIndexer.skipWhitespace(bytes, &place, end) }

    @inline(__always)
    private mutating func begin(_ bracket: UInt8) throws(Refusal) {
        guard next() == bracket, depth < maxDepth else { throw Refusal() }
        place &+= 1
        depth &+= 1
        isFirst = true
    }

    /// Goes to the next value of a container, or after its end. Returns whether there is a value.
    @inline(__always)
    private mutating func advance(_ bracket: UInt8) throws(Refusal) -> Bool {
        let byte = next()
        if byte == bracket {
            guard depth > 0 else { throw Refusal() }
            depth &-= 1
            isFirst = false
            place &+= 1
            return false
        }
        if isFirst {
            isFirst = false
        } else {
            guard byte == UInt8(ascii: ",") else { throw Refusal() }
            place &+= 1
        }
        values &+= 1
        guard values <= decoder.limits.maxValues else { throw Refusal() }
        return true
    }

    /// Goes to the next member of an object, or after its end. Returns whether its name has an escape, or nil at the end.
    @inline(__always)
    private mutating func advanceToMember() throws(Refusal) -> Bool? {
        guard try advance(UInt8(ascii: "}")) else { return nil }
        guard next() == UInt8(ascii: "\"") else { throw Refusal() }
        let (start, length, hasEscape) = try text()
        guard next() == UInt8(ascii: ":") else { throw Refusal() }
        place &+= 1
        name = bytes + start
        nameLength = length
        return hasEscape
    }

    /// Reads a string, whose quote is next, and returns the place of its content.
    @inline(__always)
    private mutating func text() throws(Refusal) -> (start: Int, length: Int, hasEscape: Bool) {
        let start = place &+ 1
        do throws(JSONFailure) {
            let (close, hasEscape) = try JSONStringScan.scan(
                bytes, from: start, end: end, allowsLoneSurrogates: decoder.limits.allowsLoneSurrogates)
            place = close &+ 1
            return (start, close &- start, hasEscape)
        } catch { throw Refusal() }
    }

    /// Reads a number and returns its start.
    @inline(__always)
    private mutating func number() throws(Refusal) -> (start: Int, isInteger: Bool) {
        let byte = next(), start = place
        guard byte == UInt8(ascii: "-") || byte &- UInt8(ascii: "0") < 10 else { throw Refusal() }
        do throws(JSONFailure) {
            let (numberEnd, isInteger) = try JSONNumberScan.scan(bytes, from: start, end: end)
            place = numberEnd
            return (start, isInteger)
        } catch { throw Refusal() }
    }

    /// Reads a literal whose first byte is next.
    @inline(__always)
    private mutating func literal(_ text: StaticString) throws(Refusal) {
        let length = text.utf8CodeUnitCount
        guard place &+ length <= end else { throw Refusal() }
        for index in 0..<length where bytes[place &+ index] != text.utf8Start[index] { throw Refusal() }
        place &+= length
    }
}
