extension JSONOutput {
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
