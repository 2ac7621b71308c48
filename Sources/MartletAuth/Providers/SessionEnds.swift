public import MartletEssentials
internal import MartletSystem

/// The end of a session: the server no longer accepts the refresh token, or no token is stored. The user must sign in.
///
/// A refresh closure throws it. Callers of a client receive it as the cause of `HTTPError.authenticationFailed`, callers of a provider as
/// ``TokenProviderError/sessionEnded(_:)``, and the app once from ``StoredTokenProvider/sessionEnded``.
public struct SessionEndedError: Error, LocalizedError, CustomStringConvertible {
    /// The error that ended the session, such as the server's ``OAuth2Error``, or nil.
    public let cause: (any Error)?

    /// Creates an error for a session that has ended.
    public init(cause: (any Error)? = nil) { self.cause = cause }

    /// The message for people in English.
    public var errorDescription: String? { APIError.unauthorized.errorDescription }

    /// The text for developers, with the cause.
    public var description: String { Redaction.visible("the session has ended" + (cause.map { ": \(CodingPath.explain($0))" } ?? "")) }

    /// Creates the error from the error that ended a session.
    init(meaning error: any Error) {
        switch error {
        case let error as SessionEndedError: self = error
        case TokenProviderError.sessionEnded(let error): self = error
        default: self.init(cause: error)
        }
    }

    /// Returns whether an error of a refresh ends the session.
    ///
    /// This error, `OAuth2Error.refused` with `invalid_grant` (RFC 6749 §5.2), a response with such a body, or any of them thrown by
    /// another provider ends it. A response with a server error (5xx) does not.
    static func isMeant(by error: any Error) -> Bool {
        switch error {
        case is SessionEndedError: true
        case OAuth2Error.refused(let refusal): refusal.code == .invalidGrant
        case OAuth2Error.http(let error): isMeant(by: error)
        case TokenProviderError.sessionEnded: true
        case TokenProviderError.refreshFailed(let error): isMeant(by: error)
        case let error as HTTPError:
            error.status?.kind != .serverError && error.status != .tooManyRequests
                && error.decodeBody(as: [String: JSONValue].self)?["error"]?.stringValue == "invalid_grant"
        default: false
        }
    }
}

/// Reports the end of a session to all listeners.
final class SessionEnds: Sendable {
    private struct State {
        var listeners: [Int: AsyncStream<SessionEndedError>.Continuation] = [:]
        var lastListener = 0
        /// An end that was reported without a listener, for the first one.
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
        // Calls that the callback starts are ordinary calls and not part of the refresh.
        ProviderScope.outside { callback?(end) }
    }

    /// Drops the unreported end of the previous session when a new one begins.
    func forget() { state.withLock { $0.unheard = nil } }

    /// Returns a stream of the ends from now on, beginning with the last one if no listener has received it.
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
