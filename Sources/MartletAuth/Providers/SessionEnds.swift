public import MartletEssentials
internal import MartletSystem

/// The end of a session: its refresh token is no longer accepted, and the user must sign in.
///
/// A refresh closure throws it. Callers of a client receive it as the cause of `HTTPError.authenticationFailed`, callers of a provider as
/// ``TokenProviderError/sessionEnded(_:)``, and the app once from ``StoredTokenProvider/sessionEnded``.
public struct SessionEndedError: Error, LocalizedError, CustomStringConvertible {
    /// The error behind it, such as the server's ``OAuth2Error``, or nil.
    public let cause: (any Error)?

    /// A session that is over.
    public init(cause: (any Error)? = nil) { self.cause = cause }

    /// The message for people in English.
    public var errorDescription: String? { APIError.unauthorized.errorDescription }

    /// What happened, with the cause, for developers.
    public var description: String { Redaction.visible("the session has ended" + (cause.map { ": \(CodingPath.explain($0))" } ?? "")) }

    /// Turns the error that ended a session into this type.
    init(meaning error: any Error) {
        switch error {
        case let error as SessionEndedError: self = error
        case TokenProviderError.sessionEnded(let error): self = error
        default: self.init(cause: error)
        }
    }

    /// Whether an error of a refresh ends the session: this error, `OAuth2Error.refused` with `invalid_grant` (RFC 6749 §5.2), a response
    /// with such a body, or any of them thrown by another provider. A response with a server error (5xx) does not.
    static func isMeant(by error: any Error) -> Bool {
        switch error {
        case is SessionEndedError: true
        case OAuth2Error.refused(let refusal): refusal.code == .invalidGrant
        case OAuth2Error.http(let error): isMeant(by: error)
        case TokenProviderError.sessionEnded: true
        case TokenProviderError.refreshFailed(let error): isMeant(by: error)
        case let error as HTTPError:
            error.status?.kind != .serverError
                && error.decodeBody(as: [String: JSONValue].self)?["error"]?.stringValue == "invalid_grant"
        default: false
        }
    }
}

/// Tells everybody who listens that the session has ended.
final class SessionEnds: Sendable {
    private struct State {
        var listeners: [Int: AsyncStream<SessionEndedError>.Continuation] = [:]
        var lastListener = 0
        /// What was told while nobody listened: for the first who does.
        var unheard: SessionEndedError?
    }

    private let state = Locked(State())
    private let callback: (@Sendable (SessionEndedError) -> Void)?

    init(callback: (@Sendable (SessionEndedError) -> Void)?) { self.callback = callback }

    func tell(_ end: SessionEndedError) {
        let listeners = state.withLock { state in
            if state.listeners.isEmpty, callback == nil { state.unheard = end }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.yield(end) }
        // What the callback starts is an ordinary caller, and no part of the renewal.
        ProviderScope.outside { callback?(end) }
    }

    /// A new session has begun: who listens from now on is not told of the end of the old one.
    func forget() { state.withLock { $0.unheard = nil } }

    /// Each end from now on, and the last one if nobody has heard of it.
    func listen() -> AsyncStream<SessionEndedError> {
        let (stream, listener) = AsyncStream.makeStream(of: SessionEndedError.self, bufferingPolicy: .bufferingNewest(16))
        let (number, unheard) = state.withLock { state in
            state.lastListener += 1
            state.listeners[state.lastListener] = listener
            return (state.lastListener, state.unheard.take())
        }
        listener.onTermination = { [weak self] _ in self?.state.withLock { $0.listeners[number] = nil } }
        if let unheard { listener.yield(unheard) }
        return stream
    }

    deinit {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.finish() }
    }
}
