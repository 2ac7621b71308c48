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
}
