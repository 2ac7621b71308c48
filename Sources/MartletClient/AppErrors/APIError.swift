/// An error for the app's user interface: a small number of kinds, each with a message for people.
///
/// ```swift
/// let api = client.mappingErrors(HTTPErrorMapper())
/// do { user = try await api.send(GetUser(id: 1)) } catch {  // error is APIError
///     message = error.errorDescription  // nil after a cancellation
///     showsRetry = error.isRetryable
/// }
/// ```
///
/// `==` compares the kinds and the values that matter to people (fields, status, wait), not the causes. Later versions may add cases: a
/// switch outside this package needs a `default`.
@nonexhaustive public enum APIError: Error, Sendable {
    /// The user must sign in: the status is 401, or the client has no valid credential to send.
    case unauthorized
    /// The user has no permission: the status is 403.
    case forbidden
    /// The resource does not exist: the status is 404.
    case notFound
    /// The server rejected the user's input: the status is 422, or 400 with errors for fields.
    case validationError([FieldError])
    /// The user or the app has sent too many requests: the status is 429, or a limit of the client rejected the call. The wait is the
    /// server's `Retry-After` or that of the limit, or nil if it is not known.
    case rateLimited(retryAfter: Duration?)
    /// The server failed, with a status from 500 to 599.
    case serverError(Int)
    /// Any other status that the request does not accept.
    case httpError(Int)
    /// The URL is invalid, which is a mistake in the program.
    case invalidURL(Cause)
    /// The request could not be created or may not be sent as written, which is a mistake in the program.
    case invalidRequest(Cause)
    /// The response can't be used: it is not valid HTTP, too large, damaged, or behind a redirect or a next page that must not be followed.
    case invalidResponse(Cause)
    /// The body of the response is missing, or could not be decoded as the type that the app expects.
    case decodingError(Cause)
    /// The device has no connection to a network.
    case offline(Cause)
    /// The network failed, or the server could not be reached or is regarded as down by a circuit breaker.
    case networkError(Cause)
    /// TLS failed: the server's certificate was rejected, or no secure connection could be made.
    case insecureConnection(Cause)
    /// A time limit ended the call before its response was complete.
    case timeout
    /// The call was cancelled, or refused because the client is draining. It has no message for people.
    case cancelled
    /// A file could not be created, written or moved, for example because the disk is full.
    case fileError(FileFailure.Kind, Cause)
    /// Any other failure, such as the error of a custom interceptor or a missing system library.
    case unknown(Cause)
}

extension APIError {
    /// The error ``invalidURL(_:)`` without a cause, for comparisons, which ignore causes.
    public static var invalidURL: APIError { .invalidURL("") }
    /// The error ``invalidResponse(_:)`` without a cause, for comparisons, which ignore causes.
    public static var invalidResponse: APIError { .invalidResponse("") }
    /// The error ``decodingError(_:)`` without a cause, for comparisons, which ignore causes.
    public static var decodingError: APIError { .decodingError("") }
    /// The error ``offline(_:)`` without a cause, for comparisons, which ignore causes.
    public static var offline: APIError { .offline("") }
    /// The error ``networkError(_:)`` without a cause, for comparisons, which ignore causes.
    public static var networkError: APIError { .networkError("") }

    /// Whether the same call may succeed if it is repeated later without changes.
    public var isRetryable: Bool {
        switch self {
        case .rateLimited, .timeout, .networkError, .offline: true
        case .serverError(let status): status != 501 && status != 505
        case .httpError(let status): status == 408 || status == 425
        default: false
        }
    }

    /// The error that caused this one, such as an `HTTPError`, if there is one.
    public var underlying: (any Error)? { cause?.underlying }

    /// The text for developers: the kind, and the cause if there is one.
    public var developerText: String {
        switch self {
        case .validationError(let fields): "validationError: " + fields.map { "\($0.field) \($0.message)" }.joined(separator: "; ")
        case .rateLimited(let wait): "rateLimited" + (wait.map { ", retry after \($0)" } ?? "")
        case .serverError(let status): "serverError \(status)"
        case .httpError(let status): "httpError \(status)"
        case .fileError(let kind, let cause): "\(messageKey) \(kind.rawValue)" + cause.afterColon
        default: messageKey + (cause?.afterColon ?? "")
        }
    }

    private var cause: Cause? {
        switch self {
        case .invalidURL(let cause), .invalidRequest(let cause), .invalidResponse(let cause), .decodingError(let cause),
            .offline(let cause), .networkError(let cause), .insecureConnection(let cause), .fileError(_, let cause), .unknown(let cause):
            cause
        case .unauthorized, .forbidden, .notFound, .validationError, .rateLimited, .serverError, .httpError, .timeout, .cancelled: nil
        }
    }
}

extension APIError: Equatable {
    /// Returns whether two errors have the same kind and values, whatever their causes.
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.validationError(let left), .validationError(let right)): left == right
        case (.rateLimited(let left), .rateLimited(let right)): left == right
        case (.serverError(let left), .serverError(let right)), (.httpError(let left), .httpError(let right)): left == right
        case (.fileError(let left, _), .fileError(let right, _)): left == right
        default: left.messageKey == right.messageKey
        }
    }
}
