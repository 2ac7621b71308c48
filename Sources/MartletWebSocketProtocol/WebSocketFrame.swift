package import MartletEssentials

/// The meaning of a frame (RFC 6455 §5.2).
package enum WebSocketOpcode: UInt8, Sendable, Hashable {
    case continuation = 0
    case text = 1
    case binary = 2
    case close = 8
    case ping = 9
    case pong = 10

    package var isControl: Bool { rawValue >= 8 }
}

/// A frame before its payload (RFC 6455 §5.2).
package struct WebSocketFrameHead: Sendable, Hashable {
    package var opcode: WebSocketOpcode
    /// Whether it is the last frame of its message (FIN).
    package var isFinal: Bool
    /// Whether the message that begins here is compressed (RSV1, RFC 7692 §6).
    package var isCompressed: Bool
    package var mask: WebSocketMask?
    package var length: Int

    package init(
        _ opcode: WebSocketOpcode, length: Int, isFinal: Bool = true, isCompressed: Bool = false, mask: WebSocketMask? = nil
    ) {
        self.opcode = opcode
        self.length = length
        self.isFinal = isFinal
        self.isCompressed = isCompressed
        self.mask = mask
    }

    /// The number of bytes of the longest head.
    static let maxBytes = 14

    /// Writes the head to a buffer of at least ``maxBytes`` and returns the number of bytes.
    func write(to bytes: UnsafeMutableRawBufferPointer) -> Int {
        bytes[0] = opcode.rawValue | (isFinal ? 0x80 : 0) | (isCompressed ? 0x40 : 0)
        let masked: UInt8 = mask == nil ? 0 : 0x80
        var count = 2
        switch length {
        case ...125: bytes[1] = masked | UInt8(length)
        case ...0xFFFF:
            bytes[1] = masked | 126
            bytes.storeBytes(of: UInt16(length).bigEndian, toByteOffset: 2, as: UInt16.self)
            count = 4
        default:
            bytes[1] = masked | 127
            bytes.storeBytes(of: UInt64(length).bigEndian, toByteOffset: 2, as: UInt64.self)
            count = 10
        }
        guard let mask else { return count }
        bytes.storeBytes(of: mask.key.littleEndian, toByteOffset: count, as: UInt32.self)
        return count + 4
    }
}

/// The mask of a client's frame (RFC 6455 §5.3).
package struct WebSocketMask: Sendable, Hashable {
    /// The four bytes of the masking key, of which the first is the least significant.
    package let key: UInt32

    package init(_ key: UInt32) { self.key = key }

    /// Masks or unmasks bytes of a payload. `offset` is the position of the first of them in the payload.
    package func apply(to bytes: UnsafeMutableRawBufferPointer, offset: Int = 0) {
        let turn = UInt32(truncatingIfNeeded: offset & 3) &* 8
        let turned = turn == 0 ? key : key &>> turn | key &<< (32 &- turn)
        let word = (UInt64(turned) | UInt64(turned) &<< 32).littleEndian
        var place = 0
        while place &+ 8 <= bytes.count {
            bytes.storeBytes(of: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self) ^ word, toByteOffset: place, as: UInt64.self)
            place &+= 8
        }
        // `place` is a multiple of 4, at which the key begins again.
        while place < bytes.count {
            bytes[place] ^= UInt8(truncatingIfNeeded: turned &>> (UInt32(truncatingIfNeeded: place & 3) &* 8))
            place &+= 1
        }
    }
}

extension Data {
    /// Appends a frame. The length of `head` is that of the payload.
    package mutating func append(_ head: WebSocketFrameHead, payload: UnsafeRawBufferPointer) {
        if isEmpty { self = Data(capacity: WebSocketFrameHead.maxBytes + payload.count) }
        withUnsafeTemporaryAllocation(byteCount: WebSocketFrameHead.maxBytes, alignment: 8) { bytes in
            append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[..<head.write(to: bytes)]))
        }
        appendUnmasked(payload, head.mask, offset: 0)
    }

    /// Appends bytes of a payload and masks or unmasks them. `offset` is the position of the first of them in the payload.
    mutating func appendUnmasked(_ payload: UnsafeRawBufferPointer, _ mask: WebSocketMask?, offset: Int) {
        guard !payload.isEmpty else { return }
        let start = count
        append(contentsOf: payload)
        guard let mask else { return }
        withUnsafeMutableBytes { mask.apply(to: UnsafeMutableRawBufferPointer(rebasing: $0[start...]), offset: offset) }
    }
}
