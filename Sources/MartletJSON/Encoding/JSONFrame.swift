/// A value that is being written.
struct JSONFrame {
    enum Kind: UInt8 {
        /// Nothing has been written yet.
        case undecided
        case object
        case array
        /// A value without members of its own: a scalar, or a wrapper around another value.
        case scalar
    }

    struct Flags: OptionSet {
        let rawValue: UInt8

        /// A key does not follow the previous key in byte order. Members may be out of order or duplicates.
        static let unordered = Flags(rawValue: 1)
        /// The frame belongs to a dictionary, whose members are always sorted.
        static let dictionary = Flags(rawValue: 2)
        /// Nested containers or super encoders were opened.
        static let parts = Flags(rawValue: 4)
        /// Containers of different kinds were requested, or two single values were written.
        static let mixed = Flags(rawValue: 8)
        /// The depth limit was exceeded.
        static let tooDeep = Flags(rawValue: 16)

        static let attention: Flags = [.parts, .mixed, .tooDeep]
    }

    /// The number that containers hold to recognise their frame. Serial numbers are never used twice.
    var serial: UInt64
    /// The offset of the first byte of the value.
    var start: Int
    /// The index of the first member in the log.
    var logStart: Int
    /// The number of members or elements written.
    var count = 0
    /// The number of arrays and objects that are open, this one included.
    var depth: Int
    /// The key of the member whose value is being encoded. It points to a key on the stack for the time of that call.
    var childKey: UnsafeRawPointer?
    var childKeyType: (any CodingKey.Type)?
    var kind = Kind.undecided
    var flags: Flags = []
}

/// The position of one object member in the buffer.
struct JSONMember {
    /// The offset of the key's opening quote, or of the key of a pair.
    var keyStart: Int
    /// The offset after the value. It is set when the next member begins or the object ends.
    var valueEnd: Int
    /// The first eight bytes of the unescaped key in big-endian order, padded with zeros.
    var prefix: UInt64
    /// The number of key bytes in the buffer, without quotes.
    var keyLength: Int32
    /// The number of bytes between `keyStart` and the first byte of the key: 1 for a quote.
    var lead: UInt8 = 1
    var isEscaped: Bool
}

extension JSONOutput {
    // MARK: Frames

    /// Opens a value that ends with ``popFrame()``.
    ///
    /// - Returns: `false` if too many values are open. No frame was pushed then.
    @inline(__always)
    mutating func pushFrame() -> Bool {
        // Wrappers need a frame without being an array or object, so there may be twice as many frames as levels.
        guard frameCount &- 8 <= options.maxDepth &* 2 else { return false }
        if frameCount == frameCapacity { growFrames() }
        lastSerial &+= 1
        current = lastSerial
        let depth = top.pointee.depth
        top = frames + frameCount
        top.initialize(to: JSONFrame(serial: current, start: count, logStart: logCount, depth: depth))
        frameCount &+= 1
        return true
    }

    @inline(never)
    private mutating func growFrames() {
        frameCapacity *= 2
        frames = frames.moved(frameCount, to: frameCapacity)
        top = frames + (frameCount - 1)
    }

    /// Turns the innermost frame into an object.
    @inline(__always)
    mutating func openObject() {
        open(.object, 0x7B)
    }

    /// Turns the innermost frame into an array.
    @inline(__always)
    mutating func openArray() {
        open(.array, 0x5B)
    }

    @inline(__always)
    private mutating func open(_ kind: JSONFrame.Kind, _ byte: UInt8) {
        top.pointee.kind = kind
        top.pointee.depth &+= 1
        if top.pointee.depth > options.maxDepth { top.pointee.flags.insert(.tooDeep) }
        put(byte)
    }

    /// Ends the innermost frame and closes its array or object. A frame without a value becomes `{}`.
    @inline(__always)
    mutating func popFrame() {
        let frame = top
        switch frame.pointee.kind {
        case .object:
            if frame.pointee.count > 0 { endMembers() }
            put(0x7D)
        case .array:
            if frame.pointee.count > 0 { endElements() }
            put(0x5D)
        case .scalar: break
        case .undecided: putASCII("{}")
        }
        dropFrame()
    }

    /// Removes the innermost frame without writing anything. The bottom frame stays.
    @inline(__always)
    mutating func dropFrame() {
        logCount = top.pointee.logStart
        frameCount &-= 1
        top = frames + (frameCount &- 1)
        current = top.pointee.serial
    }

    // MARK: Elements

    /// Writes the comma or line break between an element and the previous one.
    @inline(__always)
    mutating func beginElement() {
        reserve(2)
        let frame = top
        if !frame.pointee.flags.isEmpty, frame.pointee.flags.contains(.dictionary) { logElementEnd() }
        if frame.pointee.count > 0 { putReserved(0x2C) }
        frame.pointee.count &+= 1
        if options.isPretty { putNewline(depth: frame.pointee.depth) }
        if !frame.pointee.flags.isEmpty, frame.pointee.flags.contains(.dictionary) { logElementStart() }
    }

    @inline(__always)
    private mutating func endElements() {
        if top.pointee.flags.contains(.dictionary) { arrangePairs() }
        if options.isPretty { putNewline(depth: top.pointee.depth - 1) }
    }

    @inline(__always)
    private mutating func endMembers() {
        log[logCount &- 1].valueEnd = count
        if top.pointee.flags.contains(.unordered) { arrangeMembers() }
        if options.isPretty { putNewline(depth: top.pointee.depth - 1) }
    }

    // MARK: Members

    /// Writes the separator between a member and the previous one, and adds the member to the log.
    ///
    /// The caller writes the quoted key and the colon next.
    @inline(__always)
    mutating func beginMember(prefix: UInt64, keyLength: Int, isEscaped: Bool) {
        reserve(2)
        let frame = top
        if frame.pointee.count > 0 {
            let last = log + (logCount &- 1)
            last.pointee.valueEnd = count
            if last.pointee.prefix >= prefix { frame.pointee.flags.insert(.unordered) }
            putReserved(0x2C)
        }
        frame.pointee.count &+= 1
        if options.isPretty { putNewline(depth: frame.pointee.depth) }
        appendLog(
            JSONMember(
                keyStart: count, valueEnd: count, prefix: prefix, keyLength: Int32(clamping: keyLength), isEscaped: isEscaped))
    }

    @inline(__always)
    mutating func appendLog(_ member: JSONMember) {
        if logCount == logCapacity { growLog() }
        (log + logCount).initialize(to: member)
        logCount &+= 1
    }

    @inline(never)
    private mutating func growLog() {
        logCapacity *= 2
        log = log.moved(logCount, to: logCapacity)
    }

    /// Begins a member whose key was escaped and quoted beforehand.
    @inline(__always)
    mutating func key(_ prepared: PreparedKey) {
        guard let source = prepared.bytes else { return }
        let length = prepared.length
        beginMember(prefix: prepared.prefix, keyLength: Int(prepared.keyLength), isEscaped: prepared.isEscaped)
        reserve(length &+ 16)
        // Prepared keys are padded to a multiple of 16 bytes, so whole blocks can be copied.
        var offset = 0
        let target = base + count
        while offset < length {
            let block = source.loadUnaligned(fromByteOffset: offset, as: SIMD2<UInt64>.self)
            target.storeBytes(of: block, toByteOffset: offset, as: SIMD2<UInt64>.self)
            offset &+= 16
        }
        count &+= length
    }

    /// Begins a member with a key that is escaped but not converted.
    mutating func memberKey(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            beginMember(prefix: Self.keyPrefix(bytes), keyLength: 0, isEscaped: false)
            let start = count
            let isEscaped = putQuoted(bytes)
            log[logCount - 1].keyLength = Int32(clamping: count - start - 2)
            log[logCount - 1].isEscaped = isEscaped
        }
        putColon()
    }

    @inline(__always)
    mutating func putColon() {
        if options.isPretty { putASCII(": ") } else { put(0x3A) }
    }

    /// The first eight bytes in big-endian order, padded with zeros.
    @inline(__always)
    static func keyPrefix(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        let raw = UnsafeRawBufferPointer(bytes)
        if raw.count >= 8 { return UInt64(bigEndian: raw.loadUnaligned(as: UInt64.self)) }
        var prefix: UInt64 = 0
        for index in 0..<raw.count { prefix |= UInt64(raw[index]) << UInt64(56 &- 8 &* index) }
        return prefix
    }

    // MARK: Pairs

    /// Marks the end of the element before, in an array of alternating keys and values.
    @inline(never)
    mutating func logElementEnd() {
        let elements = top.pointee.count
        guard elements > 0 else { return }
        let last = log + (logCount - 1)
        if elements % 2 == 1 {
            last.pointee.keyLength = Int32(clamping: count - last.pointee.keyStart)
            last.pointee.prefix = Self.keyPrefix(
                UnsafeBufferPointer(
                    start: (base + last.pointee.keyStart).assumingMemoryBound(to: UInt8.self), count: count - last.pointee.keyStart))
        } else {
            last.pointee.valueEnd = count
        }
    }

    /// Marks the start of a key, in an array of alternating keys and values.
    @inline(never)
    mutating func logElementStart() {
        guard top.pointee.count % 2 == 1 else { return }
        appendLog(JSONMember(keyStart: count, valueEnd: count, prefix: 0, keyLength: 0, lead: 0, isEscaped: false))
    }
}
