/// The failure of a store to load or save cookies, or the hosts that require `https`.
///
/// ```swift
/// let cookies = CookieInterceptor(store: FileCookieStore(file)) { error in
///     if case .rejected(let name, let host, let reason) = error { show("\(host) can't set \(name): \(reason)") }
/// }
/// ```
@nonexhaustive public enum StateStoreError: HTTPErrorCausedError, Sendable {
    /// The file or its folder can't be read or written, or belongs to another user, or is a symbolic link.
    case unavailable(HTTPError.Explanation)
    /// The stored data is damaged. A ``FileCookieStore`` and a ``FileStrictTransportStore`` rename the file, report this error, and begin
    /// empty.
    case corrupt(HTTPError.Explanation)
    /// The disk or the user's quota is full.
    case full(HTTPError.Explanation)
    /// A cookie of this name, which a response of this host or the app has set, was not stored. Only a store of cookies reports it.
    case rejected(name: String, host: String, CookieRejection)
    /// The caller's task was cancelled.
    case cancelled
    /// Any other failure, for stores of your own.
    case other(HTTPError.Explanation)

    /// The error that caused the failure, or nil.
    public var underlying: (any Error)? {
        switch self {
        case .unavailable(let why), .corrupt(let why), .full(let why), .other(let why): why.context.underlying
        case .rejected(_, _, let reason): reason
        case .cancelled: nil
        }
    }

    package var httpCause: HTTPError? { self == .cancelled ? .cancelled : underlying.flatMap { HTTPError.cause(of: $0) } }
}

extension StateStoreError: Equatable, CustomStringConvertible {
    /// Returns whether both errors are the same case, whatever their explanations; rejections must also be of the same cookie and reason.
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.unavailable, .unavailable), (.corrupt, .corrupt), (.full, .full), (.cancelled, .cancelled), (.other, .other): true
        case (.rejected(let name, let host, let reason), .rejected(let otherName, let otherHost, let otherReason)):
            (name, host, reason) == (otherName, otherHost, otherReason)
        default: false
        }
    }

    /// The failure for developers. It contains no values of cookies.
    public var description: String {
        switch self {
        case .unavailable(let why): Redaction.visible("unavailable: \(why)")
        case .corrupt(let why): Redaction.visible("corrupt: \(why)")
        case .full(let why): Redaction.visible("full: \(why)")
        case .rejected(let name, let host, let reason):
            Redaction.visible("the cookie “\(name)” for \(host) was not stored: \(reason.rawValue)")
        case .cancelled: "cancelled"
        case .other(let why): Redaction.visible("\(why)")
        }
    }
}
