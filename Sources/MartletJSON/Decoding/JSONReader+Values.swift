extension JSONReader {
    mutating func string() throws -> String { try single { bytes throws(Refusal) in try bytes.string() } }

    mutating func bool() throws -> Bool { try single { bytes throws(Refusal) in try bytes.bool() } }

    @inline(__always)
    mutating func integer<Value: FixedWidthInteger & Decodable>(_ type: Value.Type) throws -> Value {
        try single { bytes throws(Refusal) in try bytes.integer(type) }
    }

    mutating func double() throws -> Double { try single { bytes throws(Refusal) in try bytes.double() } }

    mutating func float() throws -> Float { try single { bytes throws(Refusal) in try bytes.float() } }

    /// Returns a string, or the digits of an integer. The reader must be at bytes.
    package mutating func stringOrDigits() throws -> String {
        bytes.place = current.start
        current.state = .read
        return try checked { bytes throws(Refusal) in try bytes.stringOrDigits() }
    }

    /// Whether the value is `null`, which is then read.
    @usableFromInline
    mutating func skipNull() throws -> Bool {
        if asksDecoder { return try decoder?.singleValueContainer().decodeNil() ?? false }
        if current.isBegun { return false }
        bytes.place = current.start
        guard try checked({ bytes throws(Refusal) in try bytes.skipNull() }) else { return false }
        current.state = .read
        return true
    }

    mutating func beginArray() throws {
        bytes.place = current.start
        try checked { bytes throws(Refusal) in try bytes.begin(UInt8(ascii: "[")) }
        current.state = .read
    }

    mutating func nextElement() throws -> Bool {
        try checked { bytes throws(Refusal) in try bytes.advance(UInt8(ascii: "]")) }
    }

    mutating func skip() throws { try checked { bytes throws(Refusal) in try bytes.skip() } }

    /// Reads a value without others in it.
    @inline(__always)
    private mutating func single<Value: Decodable>(_ read: (inout JSONReaderBytes) throws(Refusal) -> Value) throws -> Value {
        if asksDecoder { return try decodedByDecoder() }
        // Also after the value has been read as another type.
        bytes.place = current.start
        current.state = .read
        return try checked(read)
    }
}

/// The bytes of a document that is read in one pass, and the place in them.
struct JSONReaderBytes {
    typealias Refusal = JSONReader.Refusal

    let end: Int
    var place: Int
    /// The bytes of values that were skipped and may be read later.
    var skipped = 0
    var maxSkipped: Int
    /// The bytes of objects that were read again as another type.
    var reread = 0
    let maxReread: Int
    var depth = 0
    private let bytes: UnsafePointer<UInt8>
    private let maxDepth: Int
    private let maxValues: Int
    private let allowsLoneSurrogates: Bool
    private var values = 1
    /// Whether a container has begun and none of its values was read.
    private var isFirst = false

    /// Types and skipped values recurse. A document with deeper values is decoded by `init(from:)`.
    private static let maxRecursion = 512

    init(_ document: UnsafeBufferPointer<UInt8>, _ limits: JSONLimits) {
        // Without a document, no byte is read.
        bytes = document.baseAddress ?? UnsafePointer(bitPattern: 1).unsafelyUnwrapped
        end = document.count
        maxSkipped = 4 &* document.count
        maxReread = 16 &* document.count
        maxDepth = min(limits.maxDepth, JSONReaderBytes.maxRecursion)
        maxValues = limits.maxValues
        allowsLoneSurrogates = limits.allowsLoneSurrogates
        place = JSONIndexer.startsWithMark(document) ? 3 : 0
    }

    mutating func isAtEnd() -> Bool {
        _ = next()
        return place == end && depth == 0
    }

    func content(from start: Int) -> UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: bytes + start, count: place &- start) }

    /// Skips white space and returns the next byte, or 0 at the end.
    @inline(__always)
    mutating func next() -> UInt8 { JSONIndexer.skipWhitespace(bytes, &place, end) }

    // MARK: Containers

    @inline(__always)
    mutating func begin(_ bracket: UInt8) throws(Refusal) {
        guard next() == bracket, depth < maxDepth else { throw Refusal() }
        place &+= 1
        depth &+= 1
        isFirst = true
    }

    /// Goes to the next value of a container, or after its end. Returns whether there is a value.
    @inline(__always)
    mutating func advance(_ bracket: UInt8) throws(Refusal) -> Bool {
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
        guard values <= maxValues else { throw Refusal() }
        return true
    }

    /// Goes to the quote before the name of the next member, or after the end of the object. Returns whether there is a member.
    @inline(__always)
    mutating func advanceToName() throws(Refusal) -> Bool {
        guard try advance(UInt8(ascii: "}")) else { return false }
        guard next() == UInt8(ascii: "\"") else { throw Refusal() }
        return true
    }

    /// Goes to the value of the next member, or after the end of the object. Returns the name, or nil at the end. A name with an escape may
    /// be one that is looked for, but only its unescaped text would show that.
    @inline(__always)
    mutating func nextName() throws(Refusal) -> (start: Int, length: Int)? {
        guard try advanceToName() else { return nil }
        let (start, length, hasEscape) = try text()
        guard !hasEscape else { throw Refusal() }
        try colon()
        return (start, length)
    }

    /// Whether the bytes of a name of the same length are at a place. By four bytes at a time, this saves 30 of 50 instructions.
    @inline(__always)
    func matches(_ name: StaticString, at start: Int) -> Bool {
        let count = name.utf8CodeUnitCount, text = UnsafeRawPointer(name.utf8Start), other = UnsafeRawPointer(bytes + start)
        var index = 0
        while index &+ 4 <= count {
            guard text.loadUnaligned(fromByteOffset: index, as: UInt32.self) == other.loadUnaligned(fromByteOffset: index, as: UInt32.self)
            else { return false }
            index &+= 4
        }
        while index < count {
            guard text.load(fromByteOffset: index, as: UInt8.self) == other.load(fromByteOffset: index, as: UInt8.self) else {
                return false
            }
            index &+= 1
        }
        return true
    }

    /// Returns the bit for a name in a set of names.
    @inline(__always)
    static func bit(_ name: UnsafePointer<UInt8>, _ length: Int) -> UInt64 {
        guard length > 0 else { return 1 }
        return 1 &<< (UInt64(name[0]) &+ 5 &* UInt64(name[length &- 1]) &+ 11 &* UInt64(truncatingIfNeeded: length))
    }

    @inline(__always)
    func bit(ofNameAt start: Int, _ length: Int) -> UInt64 { JSONReaderBytes.bit(bytes + start, length) }

    @inline(__always)
    mutating func colon() throws(Refusal) {
        guard next() == UInt8(ascii: ":") else { throw Refusal() }
        place &+= 1
    }

    /// Skips the rest of the members of an object.
    mutating func skipMembers() throws(Refusal) {
        while try nextName() != nil { try skip() }
    }

    /// Skips a value, with everything in it.
    mutating func skip() throws(Refusal) {
        switch next() {
        case UInt8(ascii: "\""): _ = try text()
        case UInt8(ascii: "{"):
            try begin(UInt8(ascii: "{"))
            while try advanceToName() {
                _ = try text()
                try colon()
                try skip()
            }
        case UInt8(ascii: "["):
            try begin(UInt8(ascii: "["))
            while try advance(UInt8(ascii: "]")) { try skip() }
        case UInt8(ascii: "t"): try literal("true")
        case UInt8(ascii: "f"): try literal("false")
        case UInt8(ascii: "n"): try literal("null")
        default: _ = try number()
        }
    }

    // MARK: Values

    mutating func string() throws(Refusal) -> String {
        guard next() == UInt8(ascii: "\"") else { throw Refusal() }
        let (start, length, hasEscape) = try text()
        let content = UnsafeBufferPointer(start: bytes + start, count: length)
        return hasEscape ? JSONIndex.unescaped(content) : String(decoding: content, as: UTF8.self)
    }

    /// Reads a string, or the digits of an integer without a sign.
    mutating func stringOrDigits() throws(Refusal) -> String {
        let byte = next()
        if byte == UInt8(ascii: "\"") { return try string() }
        let (start, isPlain) = try number()
        // Longer integers are no IDs.
        guard isPlain, byte != UInt8(ascii: "-"), place &- start <= 38 else { throw Refusal() }
        return String(decoding: content(from: start), as: UTF8.self)
    }

    mutating func bool() throws(Refusal) -> Bool {
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

    @inline(__always)
    mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type) throws(Refusal) -> Value {
        let (start, isPlain) = try number()
        guard let value = JSONInteger.value(type, bytes + start, place &- start, isPlain: isPlain) else { throw Refusal() }
        return value
    }

    mutating func double() throws(Refusal) -> Double {
        let (start, _) = try number()
        guard let value = JSONDouble.double(bytes + start, place &- start) else { throw Refusal() }
        return value
    }

    mutating func float() throws(Refusal) -> Float {
        let (start, _) = try number()
        guard let value = JSONDouble.float(bytes + start, place &- start) else { throw Refusal() }
        return value
    }

    mutating func skipNull() throws(Refusal) -> Bool {
        guard next() == UInt8(ascii: "n") else { return false }
        try literal("null")
        return true
    }

    /// Reads a string, whose quote is next, and returns the place of its content.
    @inline(__always)
    private mutating func text() throws(Refusal) -> (start: Int, length: Int, hasEscape: Bool) {
        let start = place &+ 1
        do throws(JSONFailure) {
            let (close, hasEscape) = try JSONStringScan.scan(
                bytes, from: start, end: end, allowsLoneSurrogates: allowsLoneSurrogates)
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
