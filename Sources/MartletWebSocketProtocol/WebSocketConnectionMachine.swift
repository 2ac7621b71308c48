package import MartletEssentials
package import MartletHTTP

/// A WebSocket connection after the opening handshake (RFC 6455 §5 to §7), as a value without input and output.
///
/// <!-- not compiled: not public -->
/// ```swift
/// machine.receive(bytes)
/// while let event = machine.next() { … }
/// if let output = machine.takeOutput() { try await connection.write(output) }
/// ```
///
/// The machine replies to pings, echoes a Close frame, and closes with the code that RFC 6455 names when the peer violates the protocol.
/// Each function that makes frames adds them to the output, which the owner writes in order.
package struct WebSocketConnectionMachine {
    package let role: WebSocketRole
    /// Whether messages may be compressed.
    package var isCompressed: Bool { deflater != nil }
    private let random: any RandomSource
    private var assembler: WebSocketAssembler
    /// The bytes that ``next()`` has not read.
    private var input = Data()
    private var output = Data()
    /// The payload of the latest ping to which no pong was sent. An earlier one needs no pong of its own (RFC 6455 §5.5.3).
    private var owedPong: Data?
    private var deflater: MessageDeflater?
    /// The second masking key of the last random number.
    private var spareKey: UInt32?

    /// Whether a Close frame was added to the output. Nothing is sent after it.
    package private(set) var hasSentClose = false
    /// Whether a Close frame of the peer was read.
    package private(set) var hasReceivedClose = false
    /// Whether the peer violated the protocol.
    package private(set) var hasFailed = false

    /// Creates the machine of one side. A client's masking keys come from `random`.
    ///
    /// `compression` is what the handshake has agreed on. It needs zlib.
    package init(
        role: WebSocketRole, limits: WebSocketLimits = .init(), compression: PermessageDeflate? = nil,
        random: any RandomSource = .system
    ) {
        self.role = role
        self.random = random
        assembler = WebSocketAssembler(role: role, limits: limits, compression: compression)
        deflater = compression.map { MessageDeflater($0.direction(of: role), minBytes: $0.minBytes) }
    }

    // MARK: Receiving

    /// Whether ``next()`` returns no further event, whatever arrives.
    package var isReceivingOver: Bool { hasReceivedClose || hasFailed }

    /// Whether the connection is to be closed when the output has been written. A client then waits for the server to close it (RFC 6455
    /// §7.1.1), unless the connection has failed.
    package var isOver: Bool { hasFailed || hasSentClose && hasReceivedClose }

    /// The number of bytes that have arrived and were not read by ``next()``.
    package var unreadBytes: Int { input.count }

    /// Adds bytes that have arrived. Call ``next()`` until it returns nil before the next bytes.
    package mutating func receive(_ bytes: Data) {
        guard !isReceivingOver else { return }
        if input.isEmpty { input = bytes } else { input.append(bytes) }
    }

    /// Returns the next event in the bytes that have arrived, or nil if it needs more bytes.
    ///
    /// The reply that an event requires is added to the output. The work for one event is bounded by the bytes that have arrived and the
    /// limit of a message.
    package mutating func next() -> WebSocketEvent? {
        guard !input.isEmpty, !isReceivingOver else { return nil }
        // A second reference, because the assembler is changed while the bytes are read.
        let bytes = input
        let (event, left) = bytes.withUnsafeBytes { bytes -> (WebSocketEvent?, Int) in
            var rest = bytes
            do throws(WebSocketViolation) { return (try assembler.next(from: &rest), rest.count) } catch { return (.failed(error), 0) }
        }
        input = left == 0 ? Data() : bytes.suffix(left)
        if let event { reply(to: event) }
        return event
    }

    private mutating func reply(to event: WebSocketEvent) {
        switch event {
        case .message, .pong: return
        case .ping(let payload): owedPong = payload
        case .close(let code, _):
            hasReceivedClose = true
            close(code: code)
        case .failed(let violation):
            hasFailed = true
            close(code: violation.closeCode, reason: violation.description)
        }
        if isReceivingOver { input = Data() }
    }

    // MARK: Sending

    /// The number of bytes that wait in the output, except a pong.
    package var outputBytes: Int { output.count }

    /// Removes and returns the bytes to write; nil if there are none.
    package mutating func takeOutput() -> Data? {
        appendOwedPong()
        guard !output.isEmpty else { return nil }
        defer { output = Data() }
        return output
    }

    /// Adds a message. With `fragmentBytes`, each of its frames has at most so many bytes. Returns false after a Close frame.
    package mutating func send(_ message: WebSocketMessage, fragmentBytes: Int = .max) -> Bool {
        guard !hasSentClose else { return false }
        switch message {
        case .data(let data): data.withUnsafeBytes { send(.binary, $0, fragmentBytes) }
        case .text(var text): text.withUTF8 { send(.text, UnsafeRawBufferPointer($0), fragmentBytes) }
        }
        return true
    }

    private mutating func send(_ opcode: WebSocketOpcode, _ content: UnsafeRawBufferPointer, _ fragmentBytes: Int) {
        if let compressed = deflater?.compress(content) {
            compressed.withUnsafeBytes { appendFragments(opcode, $0, fragmentBytes, isCompressed: true) }
        } else {
            appendFragments(opcode, content, fragmentBytes, isCompressed: false)
        }
    }

    private mutating func appendFragments(
        _ opcode: WebSocketOpcode, _ content: UnsafeRawBufferPointer, _ fragmentBytes: Int, isCompressed: Bool
    ) {
        guard content.count > fragmentBytes else { return append(opcode, content, isCompressed: isCompressed) }
        var opcode = opcode
        var rest = content
        while true {
            let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(max(1, fragmentBytes)))
            rest = UnsafeRawBufferPointer(rebasing: rest[piece.count...])
            // Only the first frame is marked (RFC 7692 §6.1).
            append(opcode, piece, isFinal: rest.isEmpty, isCompressed: isCompressed && opcode != .continuation)
            if rest.isEmpty { return }
            opcode = .continuation
        }
    }

    /// Adds a ping with at most 125 bytes of `payload`. Returns false after a Close frame.
    package mutating func ping(_ payload: Data = Data()) -> Bool {
        guard !hasSentClose else { return false }
        append(.ping, payload.prefix(125))
        return true
    }

    /// Adds a pong that replies to no ping, with at most 125 bytes of `payload` (RFC 6455 §5.5.3). Returns false after a Close frame.
    package mutating func pong(_ payload: Data = Data()) -> Bool {
        guard !hasSentClose else { return false }
        append(.pong, payload.prefix(125))
        return true
    }

    /// Adds a Close frame unless there was one. Without a code, or with one that must not be sent, it has no payload. The reason is cut to
    /// the 123 bytes that fit.
    package mutating func close(code: WebSocketCloseCode?, reason: String = "") {
        guard !hasSentClose else { return }
        appendOwedPong()
        hasSentClose = true
        append(.close, WebSocketConnectionMachine.closePayload(code, reason))
    }

    /// Returns the payload of a Close frame (RFC 6455 §5.5.1).
    private static func closePayload(_ code: WebSocketCloseCode?, _ reason: String) -> Data {
        guard let code, code.maySend else { return Data() }
        return Data([UInt8(code.rawValue >> 8), UInt8(code.rawValue & 0xFF)]) + WebSocketConnectionMachine.reason(reason)
    }

    /// Returns a reason as UTF-8, cut to the characters in the 123 bytes that fit a Close frame.
    package static func reason(_ reason: String) -> Data {
        var bytes = Data()
        for character in reason {
            guard bytes.count + character.utf8.count <= 123 else { break }
            bytes.append(contentsOf: character.utf8)
        }
        return bytes
    }

    private mutating func appendOwedPong() {
        guard let payload = owedPong else { return }
        owedPong = nil
        if !hasSentClose { append(.pong, payload) }
    }

    private mutating func append(_ opcode: WebSocketOpcode, _ payload: Data) {
        payload.withUnsafeBytes { append(opcode, $0) }
    }

    private mutating func append(
        _ opcode: WebSocketOpcode, _ payload: UnsafeRawBufferPointer, isFinal: Bool = true, isCompressed: Bool = false
    ) {
        let head = WebSocketFrameHead(
            opcode, length: payload.count, isFinal: isFinal, isCompressed: isCompressed, mask: role == .client ? nextMask() : nil)
        output.append(head, payload: payload)
    }

    private mutating func nextMask() -> WebSocketMask {
        // The system's random numbers have 64 bits, and each costs a system call.
        if let key = spareKey.take() { return WebSocketMask(key) }
        let number = random.next()
        spareKey = UInt32(truncatingIfNeeded: number >> 32)
        return WebSocketMask(UInt32(truncatingIfNeeded: number))
    }
}
