package import MartletEssentials
internal import MartletHTTP

/// What a connection has received.
package enum WebSocketEvent: Sendable, Hashable {
    case message(WebSocketMessage)
    case ping(Data)
    case pong(Data)
    /// A Close frame. The code is nil if it has none. Nothing follows.
    case close(WebSocketCloseCode?, reason: String)
    /// The peer violated the protocol or exceeded a limit. Nothing follows.
    case failed(WebSocketViolation)
}

/// The receiving half of a connection: assembles messages and control frames from bytes that arrive in pieces (RFC 6455 §5.4).
struct WebSocketAssembler {
    private let limits: WebSocketLimits
    private var decoder: WebSocketFrameDecoder
    /// The frame that is being received, and the number of bytes of its payload so far.
    private var frame: WebSocketFrameHead?
    private var received = 0
    /// The message that is being received, or nil between messages.
    private var message: PartialMessage?
    private var inflater: MessageInflater?
    /// The payload of the control frame that is being received.
    private var control = Data()

    init(role: WebSocketRole, limits: WebSocketLimits, compression: PermessageDeflate?) {
        self.limits = limits
        inflater = compression.map { MessageInflater($0.direction(of: role.peer), limit: max(0, limits.messageBytes)) }
        decoder = WebSocketFrameDecoder(role: role, maxPayload: limits.frameBytes, allowsCompression: compression != nil)
    }

    /// Reads up to the end of the next message or control frame from `input`, which is advanced. Returns nil if more bytes are needed.
    ///
    /// The work is proportional to the bytes read from `input` and to the size of the message, of which the limit is checked first.
    mutating func next(from input: inout UnsafeRawBufferPointer) throws(WebSocketViolation) -> WebSocketEvent? {
        while true {
            if frame == nil {
                guard let head = try decoder.next(from: &input) else { return nil }
                if let whole = try wholeMessage(head, &input) { return whole }
                try begin(head)
            }
            guard let head = frame else { return nil }
            let piece = UnsafeRawBufferPointer(rebasing: input.prefix(head.length - received))
            input = UnsafeRawBufferPointer(rebasing: input[piece.count...])
            try append(piece, of: head)
            guard received == head.length else { return nil }
            frame = nil
            if let event = try end(head) { return event }
        }
    }

    /// Returns a message that has arrived as one unmasked frame, without copying it first: most messages of servers are small.
    private func wholeMessage(_ head: WebSocketFrameHead, _ input: inout UnsafeRawBufferPointer) throws(WebSocketViolation)
        -> WebSocketEvent?
    {
        guard head.isFinal, head.mask == nil, !head.isCompressed, message == nil, input.count >= head.length,
            head.opcode == .text || head.opcode == .binary
        else { return nil }
        try PartialMessage.check(head.length, limits)
        let bytes = UnsafeRawBufferPointer(rebasing: input[..<head.length])
        input = UnsafeRawBufferPointer(rebasing: input[head.length...])
        guard head.opcode == .text else { return .message(.data(Data(bytes))) }
        guard UTF8Check.accepts(bytes) else { throw .invalidText }
        return .message(.text(String(decoding: bytes, as: UTF8.self)))
    }

    private mutating func begin(_ head: WebSocketFrameHead) throws(WebSocketViolation) {
        frame = head
        received = 0
        switch head.opcode {
        case .text, .binary:
            guard message == nil else { throw .unfinishedMessage }
            message = PartialMessage(isText: head.opcode == .text, isCompressed: head.isCompressed)
        case .continuation:
            guard message != nil else { throw .unexpectedContinuation }
        case .close, .ping, .pong: return
        }
        try message?.reserve(head.length, limits)
    }

    private mutating func append(_ piece: UnsafeRawBufferPointer, of head: WebSocketFrameHead) throws(WebSocketViolation) {
        defer { received += piece.count }
        if head.opcode.isControl { return control.appendUnmasked(piece, head.mask, offset: received) }
        try message?.append(piece, head.mask, offset: received, &inflater)
    }

    private mutating func end(_ head: WebSocketFrameHead) throws(WebSocketViolation) -> WebSocketEvent? {
        if head.opcode.isControl {
            let payload = control
            control = Data()
            switch head.opcode {
            case .ping: return .ping(payload)
            case .pong: return .pong(payload)
            default: return try WebSocketAssembler.close(payload)
            }
        }
        guard head.isFinal else { return nil }
        defer { message = nil }
        return try message?.finish(&inflater)
    }

    /// Reads the payload of a Close frame (RFC 6455 §5.5.1).
    private static func close(_ payload: Data) throws(WebSocketViolation) -> WebSocketEvent {
        guard let first = payload.first else { return .close(nil, reason: "") }
        guard payload.count >= 2 else { throw .truncatedCloseCode }
        let code = WebSocketCloseCode(rawValue: UInt16(first) << 8 | UInt16(payload[payload.startIndex + 1]))
        guard code.maySend else { throw .invalidCloseCode(code.rawValue) }
        guard let reason = String(validUTF8: payload.dropFirst(2)) else { throw .invalidCloseReason }
        return .close(code, reason: reason)
    }
}

/// A message of which some bytes have arrived.
private struct PartialMessage {
    private let isText: Bool
    private let isCompressed: Bool
    private var content = Data()
    private var text = UTF8Check()

    init(isText: Bool, isCompressed: Bool) {
        self.isText = isText
        self.isCompressed = isCompressed
    }

    static func check(_ count: Int, _ limits: WebSocketLimits) throws(WebSocketViolation) {
        let limit = max(0, limits.messageBytes)
        guard count <= limit else { throw .tooLarge(limit: limit) }
    }

    /// Prepares for a frame with `count` bytes, which may never arrive.
    mutating func reserve(_ count: Int, _ limits: WebSocketLimits) throws(WebSocketViolation) {
        // The limit of a compressed message applies to what it expands to.
        guard !isCompressed else { return }
        let (sum, hasOverflown) = content.count.addingReportingOverflow(count)
        guard !hasOverflown else { throw .tooLarge(limit: limits.messageBytes) }
        try PartialMessage.check(sum, limits)
        if content.isEmpty { content.reserveCapacity(min(count, PartialMessage.reserved)) }
    }

    /// The most memory in bytes that is reserved for bytes that have not arrived.
    private static let reserved = 64 * 1024

    mutating func append(
        _ piece: UnsafeRawBufferPointer, _ mask: WebSocketMask?, offset: Int, _ inflater: inout MessageInflater?
    ) throws(WebSocketViolation) {
        let start = content.count
        var fault: WebSocketViolation?
        if isCompressed {
            fault = expand(piece, mask, offset, &inflater)
        } else {
            content.appendUnmasked(piece, mask, offset: offset)
        }
        // First the text before the fault, so that the violation does not depend on the pieces.
        try checkText(from: start)
        if let fault { throw fault }
    }

    private mutating func expand(
        _ piece: UnsafeRawBufferPointer, _ mask: WebSocketMask?, _ offset: Int, _ inflater: inout MessageInflater?
    ) -> WebSocketViolation? {
        guard mask != nil else { return inflater?.expand(piece, into: &content) }
        var unmasked = Data()
        unmasked.appendUnmasked(piece, mask, offset: offset)
        return unmasked.withUnsafeBytes { inflater?.expand($0, into: &content) }
    }

    /// Checks the content of a text from a position on.
    private mutating func checkText(from start: Int) throws(WebSocketViolation) {
        guard isText else { return }
        let isValid = content.withUnsafeBytes { text.accepts(UnsafeRawBufferPointer(rebasing: $0[start...])) }
        guard isValid else { throw .invalidText }
    }

    mutating func finish(_ inflater: inout MessageInflater?) throws(WebSocketViolation) -> WebSocketEvent {
        if isCompressed {
            let start = content.count
            let fault = inflater?.finish(into: &content)
            try checkText(from: start)
            if let fault { throw fault }
        }
        guard isText else { return .message(.data(content)) }
        guard text.isComplete else { throw .invalidText }
        return .message(.text(String(decoding: content, as: UTF8.self)))
    }
}
