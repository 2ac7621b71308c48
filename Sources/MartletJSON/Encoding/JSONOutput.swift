internal import MartletEssentials

/// A growable buffer for JSON text, with a stack of the open values.
///
/// The encoder and every ``JSONValue`` write to the same buffer. Positions are offsets, so growing is safe. The buffer, the frames and the
/// member log are raw memory that only this value owns; `deinit` frees them.
struct JSONOutput: ~Copyable {
    var base: UnsafeMutableRawPointer
    var count = 0
    var capacity: Int
    /// The innermost open frame. It points into `frames`.
    var top: UnsafeMutablePointer<JSONFrame>
    /// The serial number of the innermost open frame.
    var current: UInt64 = 0
    var frames: UnsafeMutablePointer<JSONFrame>
    var frameCount = 1
    var frameCapacity: Int
    var log: UnsafeMutablePointer<JSONMember>
    var logCount = 0
    var logCapacity: Int
    var lastSerial: UInt64 = 0
    let options: Options

    struct Options {
        var isSorted = false
        var isPretty = false
        var escapesSlashes = false
        var maxDepth = 512
        /// The largest possible value for the maximum depth.
        static let possibleDepth = 1_000_000
    }

    /// Creates an empty buffer.
    ///
    /// - Parameter isSmall: Whether little output is expected, as for each of many nested containers.
    init(options: Options, baseDepth: Int = 0, isSmall: Bool = false) {
        self.options = options
        capacity = isSmall ? 64 : 1024
        base = .allocate(byteCount: capacity, alignment: 16)
        frameCapacity = isSmall ? 4 : 16
        frames = .allocate(capacity: frameCapacity)
        logCapacity = isSmall ? 4 : 32
        log = .allocate(capacity: logCapacity)
        top = frames
        frames.initialize(to: JSONFrame(serial: 0, start: 0, logStart: 0, depth: baseDepth))
    }

    deinit {
        base.deallocate()
        frames.deallocate()
        log.deallocate()
    }

    /// A copy of the bytes written so far.
    var data: Data { Data(bytes: base, count: count) }

    /// The text written so far.
    var text: String {
        String(decoding: UnsafeRawBufferPointer(start: base, count: count), as: UTF8.self)
    }

    // MARK: Bytes

    /// Makes room for `length` more bytes.
    @inline(__always)
    mutating func reserve(_ length: Int) {
        if capacity &- count < length { grow(length) }
    }

    @inline(never)
    private mutating func grow(_ length: Int) {
        let newCapacity = max(capacity * 2, count + length)
        let newBase = UnsafeMutableRawPointer.allocate(byteCount: newCapacity, alignment: 16)
        newBase.copyMemory(from: base, byteCount: count)
        base.deallocate()
        base = newBase
        capacity = newCapacity
    }

    /// Writes one byte. The caller has reserved the room.
    @inline(__always)
    mutating func putReserved(_ byte: UInt8) {
        base.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count &+= 1
    }

    @inline(__always)
    mutating func put(_ byte: UInt8) {
        reserve(1)
        putReserved(byte)
    }

    mutating func put(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress else { return }
        reserve(bytes.count)
        (base + count).copyMemory(from: source, byteCount: bytes.count)
        count += bytes.count
    }

    @inline(__always)
    mutating func putASCII(_ text: StaticString) {
        put(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Writes a line break and two spaces for each level.
    @inline(never)
    mutating func putNewline(depth: Int) {
        let spaces = max(depth, 0) * 2
        reserve(spaces + 1)
        putReserved(0x0A)
        (base + count).initializeMemory(as: UInt8.self, repeating: 0x20, count: spaces)
        count += spaces
    }

    // MARK: The values of a ``JSONValue``, with the commas between elements

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
