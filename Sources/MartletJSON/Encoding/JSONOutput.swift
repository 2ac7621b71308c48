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
}
