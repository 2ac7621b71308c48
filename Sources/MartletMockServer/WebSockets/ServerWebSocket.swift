public import MartletEssentials
internal import MartletSystem
public import MartletWebSocketProtocol

/// A WebSocket that a ``MockServer``, or a test double without sockets, has accepted: what has arrived on it, and a way to continue its
/// script.
///
/// ```swift
/// let socket = try await server.waitForWebSockets()[0]
/// socket.play(.send("news"), .close(.serviceRestart))
/// #expect(try await socket.waitForMessages(2) == ["hello", "bye"])
/// ```
public final class ServerWebSocket: Sendable {
    private struct State {
        var failures: [String] = []
        var closeCode: WebSocketCloseCode?
        var closeReason = ""
    }

    /// The request with which the client opened the connection.
    public let request: RecordedRequest
    /// The subprotocol that the server has selected, or nil for none.
    public let subprotocol: String?
    /// Whether messages may be compressed with permessage-deflate.
    public let isCompressed: Bool

    private let addSteps: @Sendable ([WebSocketStep]) -> Void
    private let received = Recorder<WebSocketMessage>()
    private let receivedPings = Recorder<Data>()
    private let receivedPongs = Recorder<Data>()
    private let state = Locked(State())
    private let ended = Tally()

    /// - Parameter addSteps: Adds steps to the script that is being played.
    init(request: RecordedRequest, agreement: WebSocketAgreement, addSteps: @escaping @Sendable ([WebSocketStep]) -> Void) {
        self.request = request
        subprotocol = agreement.subprotocol
        isCompressed = agreement.compression != nil
        self.addSteps = addSteps
    }

    /// The messages that have arrived so far, in order.
    public var messages: [WebSocketMessage] { received.values }

    /// The payloads of the pings that have arrived so far, in order.
    public var pings: [Data] { receivedPings.values }

    /// The payloads of the pongs that have arrived so far, in order.
    public var pongs: [Data] { receivedPongs.values }

    /// The code of the client's Close frame, ``WebSocketCloseCode/noStatusReceived`` for a frame without a code, and
    /// ``WebSocketCloseCode/abnormalClosure`` if the connection has ended without one. Nil before.
    public var closeCode: WebSocketCloseCode? { state.withLock { $0.closeCode } }

    /// The reason in the client's Close frame, or an empty text.
    public var closeReason: String { state.withLock { $0.closeReason } }

    /// The expectations of the script that were not fulfilled, and violations of RFC 6455 by the client. Empty in a correct test.
    public var failures: [String] { state.withLock { $0.failures } }

    /// Whether the connection has not ended yet.
    public var isOpen: Bool { ended.count == 0 }

    /// Adds steps to the script. They are played when it has ended, or waits in ``WebSocketStep/answer(_:_:)`` or
    /// ``WebSocketStep/echo``. They are ignored after the end of the connection.
    public func play(_ steps: WebSocketStep...) { play(steps) }

    /// Adds steps in an array to the script. See ``play(_:)-(WebSocketStep...)``.
    public func play(_ steps: [WebSocketStep]) { addSteps(steps) }

    /// Waits until `count` messages have arrived, without a time limit, and returns the first `count`.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    @discardableResult
    public func waitForMessages(_ count: Int = 1) async throws(CancellationError) -> [WebSocketMessage] {
        try await received.first(count)
    }

    /// Waits until `count` pings have arrived, without a time limit, and returns the payloads of the first `count`.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    @discardableResult
    public func waitForPings(_ count: Int = 1) async throws(CancellationError) -> [Data] { try await receivedPings.first(count) }

    /// Waits until the connection has ended, without a time limit, and returns ``closeCode``.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    @discardableResult
    public func waitForEnd() async throws(CancellationError) -> WebSocketCloseCode {
        try await ended.wait { $0 > 0 }
        return closeCode ?? .abnormalClosure
    }

    // MARK: The server's side

    func record(_ note: WebSocketPlayer.Note) {
        switch note {
        case .event(.message(let message)): received.append(message)
        case .event(.ping(let payload)): receivedPings.append(payload)
        case .event(.pong(let payload)): receivedPongs.append(payload)
        case .event(.close(let code, let reason)):
            state.withLock { ($0.closeCode, $0.closeReason) = (code ?? .noStatusReceived, reason) }
        case .event(.failed(let violation)): state.withLock { $0.failures.append(violation.description) }
        case .failure(let words): state.withLock { $0.failures.append(words) }
        }
    }

    func recordEnd() {
        state.withLock { $0.closeCode = $0.closeCode ?? .abnormalClosure }
        ended.add(1)
    }
}

extension MockServer {
    /// The WebSockets that the server has accepted so far, in order. Empty if ``Options/keepsRequests`` is false.
    public var webSockets: [ServerWebSocket] { control.webSockets.values }

    /// Waits until `count` WebSockets have been accepted, without a time limit, and returns the first `count`.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    @discardableResult
    public func waitForWebSockets(_ count: Int = 1) async throws(CancellationError) -> [ServerWebSocket] {
        try await control.webSockets.first(count)
    }
}
