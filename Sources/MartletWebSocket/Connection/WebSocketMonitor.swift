internal import MartletClient
internal import MartletEssentials
internal import MartletHTTP
internal import MartletWebSocketProtocol

/// The call that a connection is part of: it tells observers of messages and of the end, and ends the connection if it is cancelled.
final class WebSocketMonitor: Sendable {
    private let reading: ObservedReading
    /// The call that ends with the connection; nil if other connections follow.
    private let call: LongLivedCall?
    private let notify: (@Sendable (CallEvent) -> Void)?

    init(_ reading: ObservedReading, _ call: LongLivedCall?) {
        self.reading = reading
        self.call = call
        notify = reading.isObserved ? reading.call?.record.notify : nil
    }

    func onCancel(_ action: @escaping @Sendable () -> Void) { call?.onCancel(action) }

    var isObserved: Bool { notify != nil }

    func sent(_ message: WebSocketMessage) { notify?(.message(message.observed(.sent))) }

    func received(_ message: WebSocketMessage) { notify?(.message(message.observed(.received))) }

    func ended(_ error: WebSocketError) {
        guard let call else { return }
        if let failure = error.failure { reading.failed(failure) }
        reading.finished()
        call.onCancel(nil)
        call.end()
    }
}

extension WebSocketMessage {
    fileprivate func observed(_ direction: CallMessage.Direction) -> CallMessage {
        switch self {
        case .text(let text): CallMessage(direction, content: Data(text.utf8), isText: true)
        case .data(let data): CallMessage(direction, content: data, isText: false)
        }
    }
}

extension WebSocketError {
    /// The end as the failure of a call; nil for a normal end.
    var failure: HTTPError? {
        guard case .closed(let closure) = self else { return httpError }
        if closure.code == .normalClosure || closure.side == .client && closure.code == .goingAway { return nil }
        return .networkError(NetworkFailure(.connectionLost, "the WebSocket was \(closure)", context: ErrorContext(stage: .body)))
    }
}
