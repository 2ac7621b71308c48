public import MartletClient
public import MartletEssentials
internal import MartletHTTP
internal import MartletSystem
internal import MartletTransfers
public import MartletWebSocketProtocol

/// A WebSocket connection that is opened again when it breaks, by the rules of a ``WebSocketReconnection``.
///
/// ```swift
/// let feed = client.reconnectingWebSocket(.get("prices")) { socket in try await socket.send("subscribe") }
/// for try await message in feed.messages { show(message) }
/// ```
///
/// Connections are open while a task reads ``messages`` or ``signals``: one task at a time. The closure runs for each connection before its
/// messages are read.
public final class ReconnectingWebSocket: Sendable {
    private struct Shared {
        weak var iteration: Iteration?
        var socket: WebSocket?
        var state = WebSocketState.closed
        var watchers: [UInt64: AsyncStream<WebSocketState>.Continuation] = [:]
        var watcherCount: UInt64 = 0
    }

    /// A reading of the messages, which ends when it is released.
    fileprivate final class Iteration: Sendable {
        let feed: ReconnectingWebSocket
        let restarts = RestartRequests()
        /// Whether the app has closed the connection.
        let isClosed = Locked(false)

        init(of feed: ReconnectingWebSocket) { self.feed = feed }

        deinit { feed.ended(ObjectIdentifier(self)) }
    }

    private let shared = Locked(Shared())
    private let opening: WebSocketOpening
    private let rules: WebSocketReconnection
    private let greet: @Sendable (WebSocket) async throws -> Void

    init(_ opening: WebSocketOpening, _ rules: WebSocketReconnection, greet: @escaping @Sendable (WebSocket) async throws -> Void) {
        self.opening = opening
        self.rules = rules
        self.greet = greet
    }

    deinit { for watcher in shared.withLock({ Array($0.watchers.values) }) { watcher.finish() } }

    /// The messages of all connections, in order.
    ///
    /// The sequence ends when a connection is closed normally, and throws ``WebSocketError`` for an end after which the rules allow no
    /// other connection. Messages that the server sent while no connection was open are lost: let the closure ask for them. Leaving the
    /// loop, or cancelling its task, closes the connection.
    public var messages: ValueSequence<WebSocketMessage, WebSocketError> {
        ValueSequence { [self] in
            let next = iteration()
            return { () async throws(WebSocketError) in
                while let signal = try await next() { if case .message(let message) = signal { return message } }
                return nil
            }
        }
    }

    /// Everything that happens: connections, messages and waits.
    public var signals: ValueSequence<WebSocketSignal, WebSocketError> { ValueSequence { [self] in iteration() } }

    /// The state of the connection now, and then each change of it, for views. Any number of tasks may read it.
    ///
    /// A task that reads slowly gets only the latest state.
    public var states: AsyncStream<WebSocketState> {
        let (stream, continuation) = AsyncStream.makeStream(of: WebSocketState.self, bufferingPolicy: .bufferingNewest(1))
        let number = shared.withLock { shared in
            shared.watcherCount += 1
            shared.watchers[shared.watcherCount] = continuation
            continuation.yield(shared.state)
            return shared.watcherCount
        }
        continuation.onTermination = { [weak self] _ in _ = self?.shared.withLock { $0.watchers.removeValue(forKey: number) } }
        return stream
    }

    /// Sends a message on the open connection.
    ///
    /// - Throws: ``WebSocketError/failed(_:)`` with `.networkError(.connectionLost)` if none is open, and the errors of
    ///   ``WebSocket/send(_:)``.
    @concurrent public func send(_ message: WebSocketMessage) async throws(WebSocketError) {
        guard let socket = shared.withLock({ $0.socket }) else {
            throw .failed(.networkError(NetworkFailure(.connectionLost, "no WebSocket connection is open")))
        }
        try await socket.send(message)
    }

    /// Closes the open connection, or ends the wait for the next one. Either ends ``messages``.
    @concurrent public func close(code: WebSocketCloseCode = .normalClosure, reason: String = "") async {
        let (iteration, socket) = shared.withLock { ($0.iteration, $0.socket) }
        iteration?.isClosed.withLock { $0 = true }
        if let socket { await socket.close(code: code, reason: reason) } else { iteration?.restarts.request() }
    }

    private func iteration() -> () async throws(WebSocketError) -> WebSocketSignal? {
        let reading = ObservedReading(opening.observe), iteration = Iteration(of: self)
        shared.withLock { $0.iteration = iteration }
        var loop: ReconnectingLoop<SocketSource>? = ReconnectingLoop(
            SocketSource(opening: opening, rules: rules, reading: reading, greet: greet), rules.loop, call: LongLivedCall(opening.calls),
            time: opening.time, random: opening.random, restarts: (iteration.restarts, nil))
        return { [self] () async throws(WebSocketError) in
            do throws(WebSocketError) {
                var signal = try await loop?.next()
                // After the app has closed a connection, or the wait for it, only messages follow.
                if let other = signal, !other.isMessage, iteration.isClosed.withLock({ $0 }) { signal = nil }
                note(signal)
                if signal == nil {
                    // Releases the connection, which closes it.
                    loop = nil
                    reading.finished()
                }
                return signal
            } catch {
                note(nil)
                if let failure = error.failure { reading.failed(failure) }
                reading.finished()
                throw error
            }
        }
    }

    private func note(_ signal: WebSocketSignal?) {
        switch signal {
        case .connecting: note(.connecting, nil)
        case .open(let open): note(.open, open)
        case .reconnecting(let wait, let error): note(.waiting(wait, because: error), nil)
        case nil: note(.closed, nil)
        case .message: return
        }
    }

    private func note(_ state: WebSocketState, _ socket: WebSocket?) {
        // The previous socket is released outside the lock, because that closes it.
        _ = shared.withLock { shared in
            let before = exchange(&shared.socket, with: socket)
            if exchange(&shared.state, with: state) != state { for watcher in shared.watchers.values { watcher.yield(state) } }
            return before
        }
    }

    /// Notes that a reading was left, unless another one has begun.
    private func ended(_ iteration: ObjectIdentifier) {
        let isLatest = shared.withLock { $0.iteration.map { ObjectIdentifier($0) == iteration } ?? true }
        if isLatest { note(nil) }
    }
}

/// The state of a ``ReconnectingWebSocket``, for views.
@nonexhaustive public enum WebSocketState: Sendable, Equatable {
    /// A connection is being opened.
    case connecting
    /// A connection is open.
    case open
    /// A connection has ended, and another one follows after this wait. The error is nil if its age was the reason.
    case waiting(Duration, because: WebSocketError?)
    /// No connection is open, and none follows unless ``ReconnectingWebSocket/messages`` is read again.
    case closed
}

/// A step of a ``ReconnectingWebSocket``.
@nonexhaustive public enum WebSocketSignal: Sendable {
    /// The connection with this number, from 1, is about to be opened.
    case connecting(number: Int)
    /// A connection is open.
    case open(WebSocket)
    /// A message arrived.
    case message(WebSocketMessage)
    /// The connection has ended, and another one follows after this wait. The error is nil if its age was the reason.
    case reconnecting(after: Duration, because: WebSocketError?)
}

extension WebSocketSignal {
    fileprivate var isMessage: Bool { if case .message = self { true } else { false } }
}

extension EndpointClient {
    /// Returns a WebSocket connection that is opened again when it breaks. Nothing is sent before its messages are read.
    ///
    /// ```swift
    /// let feed = client.reconnectingWebSocket(.get("prices")) { socket in try await socket.send("subscribe") }
    /// for try await message in feed.messages { show(message) }
    /// ```
    ///
    /// - Parameters:
    ///   - endpoint: What to connect to. Its properties are read again for each connection.
    ///   - protocols: The subprotocols that the app speaks.
    ///   - options: The options of each connection.
    ///   - rules: When another connection is opened.
    ///   - greet: Subscribes, for each connection. If it throws, the connection is closed: by the rules, another one follows a
    ///     `WebSocketError` or an `HTTPError`. Any other error ends the messages with `.interceptorFailed`.
    @_disfavoredOverload
    public func reconnectingWebSocket<E: Endpoint>(
        _ endpoint: E, protocols: [String] = [], options: WebSocketOptions = WebSocketOptions(),
        rules: WebSocketReconnection = WebSocketReconnection(), greet: @escaping @Sendable (WebSocket) async throws -> Void = { _ in }
    ) -> ReconnectingWebSocket {
        ReconnectingWebSocket(WebSocketOpening(endpoint, protocols, client: httpClient, options: options), rules, greet: greet)
    }

    /// Returns a WebSocket connection that is opened again when it breaks. See `reconnectingWebSocket(_:protocols:options:rules:greet:)`
    /// for endpoints.
    @_disfavoredOverload
    public func reconnectingWebSocket<Response: Sendable>(
        _ request: Request<Response>, protocols: [String] = [], options: WebSocketOptions = WebSocketOptions(),
        rules: WebSocketReconnection = WebSocketReconnection(), greet: @escaping @Sendable (WebSocket) async throws -> Void = { _ in }
    ) -> ReconnectingWebSocket {
        ReconnectingWebSocket(WebSocketOpening(request, protocols, client: httpClient, options: options), rules, greet: greet)
    }

    /// Returns a WebSocket connection that is opened again when it breaks. See `reconnectingWebSocket(_:protocols:options:rules:greet:)`
    /// for endpoints.
    public func reconnectingWebSocket(
        _ request: Request<Data>, protocols: [String] = [], options: WebSocketOptions = WebSocketOptions(),
        rules: WebSocketReconnection = WebSocketReconnection(), greet: @escaping @Sendable (WebSocket) async throws -> Void = { _ in }
    ) -> ReconnectingWebSocket {
        ReconnectingWebSocket(WebSocketOpening(request, protocols, client: httpClient, options: options), rules, greet: greet)
    }
}
