public import MartletEssentials

/// The failure of a ``StoredTokenProvider`` to return a token.
///
/// ```swift
/// do { token = try await provider.token() } catch {
///     switch error {
///     case .cancelled: break
///     case .sessionEnded: showSignIn()
///     default: show(error.localizedDescription)
///     }
/// }
/// ```
///
/// Callers of a client receive the underlying error as the cause of `HTTPError.authenticationFailed`. `==` compares the cases, and for
/// ``storeFailed(_:)`` the kinds. Later versions may add cases: a switch outside this package needs a `default`.
@nonexhaustive public enum TokenProviderError: HTTPErrorCausedError, Sendable {
    /// The session has ended, and the user must sign in. The stored token was removed.
    case sessionEnded(SessionEndedError)
    /// The token could not be refreshed, but the session continues: a later call tries again. The value is the error of the refresh, or an
    /// `HTTPError` if it timed out or reached the limit on refreshes.
    case refreshFailed(any Error)
    /// The token store failed.
    case storeFailed(TokenStoreError)
    /// The caller's task was cancelled. It has no message for people.
    case cancelled

    /// The error that caused this one, or nil for a cancellation.
    public var underlying: (any Error)? {
        switch self {
        case .sessionEnded(let error): error
        case .refreshFailed(let error): error
        case .storeFailed(let error): error
        case .cancelled: nil
        }
    }

    package var httpCause: HTTPError? {
        switch self {
        case .sessionEnded: nil
        case .refreshFailed(let error): HTTPError.cause(of: error)
        case .storeFailed(let error): error.httpCause
        case .cancelled: .cancelled
        }
    }

    /// Turns the error of a session into this type.
    init(wrapping error: any Error) {
        switch error {
        case TokenProviderError.refreshFailed(let cause) where TokenProviderError.isOwnCancellation(cause): self = .cancelled
        case _ where TokenProviderError.isOwnCancellation(error): self = .cancelled
        case let error as TokenProviderError: self = error
        case let error as SessionEndedError: self = .sessionEnded(error)
        case let error as TokenStoreError: self = .storeFailed(error)
        default: self = .refreshFailed(error)
        }
    }

    /// Returns whether an error is the cancellation of this task. The cancellation of another task that shares a refresh is a failure.
    private static func isOwnCancellation(_ error: any Error) -> Bool {
        guard Task.isCancelled else { return false }
        return error is CancellationError || error as? HTTPError == .cancelled || (error as? TokenStoreError)?.kind == .cancelled
    }
}

extension TokenProviderError: Equatable {
    /// Returns whether both errors are the same case, whatever their causes; failures of a store must also be of the same kind.
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.sessionEnded, .sessionEnded), (.refreshFailed, .refreshFailed), (.cancelled, .cancelled): true
        case (.storeFailed(let left), .storeFailed(let right)): left == right
        default: false
        }
    }
}

extension TokenProviderError: LocalizedError, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// The failure and its reason, for developers.
    public var description: String {
        switch self {
        case .sessionEnded(let error): "\(error)"
        case .refreshFailed(let error): Redaction.visible("the token could not be refreshed: \(CodingPath.explain(error))")
        case .storeFailed(let error): "\(error)"
        case .cancelled: "cancelled"
        }
    }

    /// The message for people in English, or nil after a cancellation.
    public var errorDescription: String? {
        guard let underlying else { return nil }
        guard let error = underlying as? any LocalizedError else { return "Your sign-in could not be renewed. Please try again." }
        return error.errorDescription
    }
}
