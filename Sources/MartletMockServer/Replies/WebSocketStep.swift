public import MartletEssentials
public import MartletWebSocketProtocol

/// A step of the script by which a ``MockServer`` serves a WebSocket.
///
/// ```swift
/// server.on(.get("/chat"), .webSocket(.expect("hello"), .send("welcome"), .delay(.seconds(1)), .close(.goingAway)))
/// server.on(.get("/echo"), .webSocket(.echo))
/// ```
///
/// Steps are played in order. A step that sends ends when the bytes have been passed to the socket. Messages that arrive earlier than a
/// step needs them are kept. In between, the server replies to pings. After the last step, it reads until the client closes the
/// connection, and replies to its Close frame.
public struct WebSocketStep: Sendable, CustomStringConvertible {
    package enum Kind: Sendable {
        case send(WebSocketMessage, fragmentBytes: Int)
        case ping(Data)
        case pong(Data)
        case raw(Data)
        /// Receives a message. The closure returns how it differs from the expected one, or nil.
        case expect(@Sendable (WebSocketMessage) -> String?)
        /// Receives this number of messages, or all, and plays the steps of each.
        case answer(Int, @Sendable (WebSocketMessage) -> [WebSocketStep])
        case delay(Duration)
        case reading(Bool)
        case ignorePings
        case ignoreClose
        case close(WebSocketCloseCode?, reason: String)
        case drop(isReset: Bool)
    }

    package let kind: Kind
    /// The step as written in Swift, such as `delay(1.0 seconds)`.
    public let description: String

    init(_ description: String, _ kind: Kind) {
        self.kind = kind
        self.description = description
    }

    // MARK: Sending

    /// Sends a message. With `fragmentBytes`, it is divided into frames of so many bytes, which may divide characters (RFC 6455 §5.4).
    public static func send(_ message: WebSocketMessage, fragmentBytes: Int = .max) -> Self {
        Self("send(\(message.line))", .send(message, fragmentBytes: max(1, fragmentBytes)))
    }

    /// Sends a text message with JSON.
    public static func send(json value: JSONValue) -> Self { send(.text(JSONText.line(value))) }

    /// Sends a ping with a payload of at most 125 bytes.
    public static func ping(_ payload: Data = Data()) -> Self { Self("ping", .ping(payload)) }

    /// Sends a pong that replies to no ping, with a payload of at most 125 bytes (RFC 6455 §5.5.3).
    public static func pong(_ payload: Data = Data()) -> Self { Self("pong", .pong(payload)) }

    // MARK: Receiving

    /// Receives a message that must be equal to this one.
    ///
    /// Otherwise the server closes the connection with ``WebSocketCloseCode/policyViolation`` and the difference as the reason, which is
    /// also in ``ServerWebSocket/failures``, and plays no further step.
    public static func expect(_ message: WebSocketMessage) -> Self {
        expect(message.line) { $0 == message }
    }

    /// Receives a message for which a closure must return true; failures call the condition `name`. See ``expect(_:)``.
    public static func expect(_ name: String, _ condition: @escaping @Sendable (WebSocketMessage) -> Bool) -> Self {
        Self("expect(\(name))", .expect { condition($0) ? nil : "expected \(name), received \($0.line)" })
    }

    /// Receives messages and plays the steps that a closure returns for each, until the connection ends or `count` messages have arrived.
    ///
    /// ```swift
    /// let slowly: WebSocketStep = .answer { message in [.send(message), .delay(.milliseconds(10)), .send("done")] }
    /// ```
    ///
    /// The closure runs on the thread of the server. It must not block.
    public static func answer(
        _ count: Int = .max, _ steps: @escaping @Sendable (WebSocketMessage) -> [WebSocketStep]
    ) -> Self {
        Self("answer", .answer(count, steps))
    }

    /// Sends each message back until the connection ends.
    public static var echo: Self { Self("echo", .answer(.max) { [.send($0)] }) }

    /// Reads nothing until ``resumeReading``, so that a client that sends much has to wait.
    public static var stopReading: Self { Self("stopReading", .reading(false)) }

    /// Continues to read after ``stopReading``.
    public static var resumeReading: Self { Self("resumeReading", .reading(true)) }

    /// Replies to no ping from here on.
    public static var ignorePings: Self { Self("ignorePings", .ignorePings) }

    /// Replies to no Close frame from here on, and leaves the connection open after it.
    public static var ignoreClose: Self { Self("ignoreClose", .ignoreClose) }

    // MARK: Time

    /// Waits, measured by `MockServer.Options.time`. In between, the server reads.
    public static func delay(_ duration: Duration) -> Self { Self("delay(\(duration))", .delay(duration)) }

    // MARK: The end

    /// Sends a Close frame. When the client has replied with its own, the server ends the connection. Without a code, the frame has no
    /// payload; for a code that must not be sent, use ``frame(_:_:isFinal:reservedBits:)``.
    public static func close(_ code: WebSocketCloseCode? = .normalClosure, reason: String = "") -> Self {
        Self("close(\(code.map { "\($0.rawValue)" } ?? "nil"))", .close(code, reason: reason))
    }

    /// Ends the connection without a Close frame, or resets it (RST) if `reset` is true.
    public static func drop(reset: Bool = false) -> Self { Self("drop(reset: \(reset))", .drop(isReset: reset)) }

    // MARK: Wrong bytes

    /// Sends one frame as it is, also a wrong one.
    ///
    /// ```swift
    /// let reserved: WebSocketStep = .frame(0x3, "reserved opcode")
    /// let close: WebSocketStep = .frame(0x8, .data(Data([0x03, 0xED])))  // with the code 1005
    /// ```
    ///
    /// - Parameters:
    ///   - opcode: The opcode (RFC 6455 §5.2), from 0 to 15.
    ///   - payload: The payload, of any size. A string literal is text.
    ///   - isFinal: Whether the frame has the FIN bit.
    ///   - reservedBits: The bits RSV1, RSV2 and RSV3 as a number from 0 to 7, of which RSV1 is 4.
    public static func frame(
        _ opcode: UInt8, _ payload: WebSocketMessage = .data(Data()), isFinal: Bool = true, reservedBits: UInt8 = 0
    ) -> Self {
        let content = payload.bytes
        var frame = Data()
        content.withUnsafeBytes { frame.append(WebSocketFrameHead(.binary, length: content.count), payload: $0) }
        let first = opcode & 0x0F | (reservedBits & 7) << 4 | (isFinal ? 0x80 : 0)
        return Self("frame(\(opcode))", .raw(Data([first]) + frame.dropFirst()))
    }

    /// Sends bytes as they are, such as a part of a frame.
    public static func raw(_ bytes: Data) -> Self { Self("raw(\(bytes.count) bytes)", .raw(bytes)) }
}

extension WebSocketMessage {
    /// The content as bytes.
    fileprivate var bytes: Data {
        switch self {
        case .text(let text): Data(text.utf8)
        case .data(let data): data
        }
    }

    /// The message for reports, in one line with masked secrets, truncated if it is long.
    package var line: String {
        switch self {
        case .text(let text): "\"\(Redaction.visible(Redaction.cut(Redaction.text(text), 200)))\""
        case .data(let data): "\(data.count) bytes \(data.prefix(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())"
        }
    }
}
