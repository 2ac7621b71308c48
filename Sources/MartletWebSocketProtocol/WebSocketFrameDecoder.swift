/// Reads the heads of frames from bytes that arrive in pieces, and rejects those that violate RFC 6455 §5.
///
/// The caller reads the payload between two heads.
package struct WebSocketFrameDecoder: Sendable {
    /// The side that receives the frames.
    private let role: WebSocketRole
    private let maxPayload: Int
    /// Whether RSV1 marks compressed messages.
    private let allowsCompression: Bool
    /// The bytes of an incomplete head.
    private var partial: [UInt8] = []

    package init(role: WebSocketRole, maxPayload: Int = .max, allowsCompression: Bool = false) {
        self.role = role
        self.maxPayload = max(0, maxPayload)
        self.allowsCompression = allowsCompression
    }

    /// Whether the bytes so far end within a head.
    package var isWithinHead: Bool { !partial.isEmpty }

    /// Reads a head from `input`, which is advanced. Returns nil if more bytes are needed.
    package mutating func next(from input: inout UnsafeRawBufferPointer) throws(WebSocketViolation) -> WebSocketFrameHead? {
        if partial.isEmpty, let (head, count) = try parse(input) {
            input = UnsafeRawBufferPointer(rebasing: input[count...])
            return head
        }
        while let byte = input.first {
            partial.append(byte)
            input = UnsafeRawBufferPointer(rebasing: input.dropFirst())
            // A head of 14 bytes is parsed up to 13 times: only if it arrives in pieces.
            guard let (head, _) = try parsePartial() else { continue }
            partial = []
            return head
        }
        return nil
    }

    private func parsePartial() throws(WebSocketViolation) -> (WebSocketFrameHead, count: Int)? {
        let result = partial.withUnsafeBytes { bytes -> Result<(WebSocketFrameHead, count: Int)?, WebSocketViolation> in
            do throws(WebSocketViolation) { return .success(try parse(bytes)) } catch { return .failure(error) }
        }
        return try result.get()
    }

    /// Reads a head from the start of `bytes`. Returns nil if it is incomplete.
    private func parse(_ bytes: UnsafeRawBufferPointer) throws(WebSocketViolation) -> (WebSocketFrameHead, count: Int)? {
        guard bytes.count >= 2 else { return nil }
        let opcode = try opcode(bytes[0], bytes[1])
        let isMasked = bytes[1] & 0x80 != 0
        var count = 2
        let length: UInt64
        switch bytes[1] & 0x7F {
        case 126:
            count = 4
            guard bytes.count >= count else { return nil }
            length = UInt64(UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self)))
            guard length > 125 else { throw .inflatedLength }
        case 127:
            count = 10
            guard bytes.count >= count else { return nil }
            length = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt64.self))
            guard length >> 63 == 0 else { throw .negativeLength }
            guard length > 0xFFFF else { throw .inflatedLength }
        case let short: length = UInt64(short)
        }
        guard opcode.isControl || length <= UInt64(maxPayload) else { throw .tooLarge(limit: maxPayload) }
        var head = WebSocketFrameHead(opcode, length: Int(length), isFinal: bytes[0] & 0x80 != 0, isCompressed: bytes[0] & 0x40 != 0)
        guard isMasked else { return (head, count) }
        guard bytes.count >= count + 4 else { return nil }
        head.mask = WebSocketMask(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: count, as: UInt32.self)))
        return (head, count + 4)
    }

    /// Checks the first two bytes of a head.
    private func opcode(_ first: UInt8, _ second: UInt8) throws(WebSocketViolation) -> WebSocketOpcode {
        guard first & 0x30 == 0 else { throw .reservedBits }
        guard let opcode = WebSocketOpcode(rawValue: first & 0x0F) else { throw .reservedOpcode(first & 0x0F) }
        // Only the first frame of a message may have RSV1 (RFC 7692 §6.1).
        let mayBeCompressed = allowsCompression && (opcode == .text || opcode == .binary)
        guard first & 0x40 == 0 || mayBeCompressed else { throw .reservedBits }
        switch role {
        case .server: guard second & 0x80 != 0 else { throw .missingMask }
        case .client: guard second & 0x80 == 0 else { throw .unexpectedMask }
        }
        guard opcode.isControl else { return opcode }
        guard first & 0x80 != 0 else { throw .fragmentedControlFrame }
        guard second & 0x7F <= 125 else { throw .largeControlFrame }
        return opcode
    }
}
