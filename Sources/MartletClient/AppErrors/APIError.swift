public import MartletEssentials

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
    case invalidURL(HTTPError.Explanation)
    /// The request could not be created or may not be sent as written, which is a mistake in the program.
    case invalidRequest(HTTPError.Explanation)
    /// The response can't be used: it is not valid HTTP, too large, damaged, or behind a redirect or a next page that must not be followed.
    case invalidResponse(HTTPError.Explanation)
    /// The body of the response is missing, or could not be decoded as the type that the app expects.
    case decodingError(HTTPError.Explanation)
    /// The device has no connection to a network.
    case offline(HTTPError.Explanation)
    /// The network failed, or the server could not be reached.
    case networkError(HTTPError.Explanation)
    /// A circuit breaker regards the server as down, so nothing was sent.
    case unavailable(HTTPError.Explanation)
    /// TLS failed: the server's certificate was rejected, or no secure connection could be made.
    case insecureConnection(HTTPError.Explanation)
    /// A time limit ended the call before its response was complete.
    case timeout
    /// The call was cancelled, or refused because the client is draining. It has no message for people.
    case cancelled
    /// A file could not be created, written or moved, for example because the disk is full.
    case fileError(FileFailure.Kind, HTTPError.Explanation)
    /// Any other failure, such as the error of a custom interceptor or a missing system library.
    case unknown(HTTPError.Explanation)
}

extension APIError {
    /// The error ``invalidURL(_:)`` without a cause, for comparisons, which ignore causes.
    public static var invalidURL: APIError { .invalidURL("") }
    /// The error ``invalidRequest(_:)`` without a cause, for comparisons, which ignore causes.
    public static var invalidRequest: APIError { .invalidRequest("") }
    /// The error ``invalidResponse(_:)`` without a cause, for comparisons, which ignore causes.
    public static var invalidResponse: APIError { .invalidResponse("") }
    /// The error ``decodingError(_:)`` without a cause, for comparisons, which ignore causes.
    public static var decodingError: APIError { .decodingError("") }
    /// The error ``offline(_:)`` without a cause, for comparisons, which ignore causes.
    public static var offline: APIError { .offline("") }
    /// The error ``networkError(_:)`` without a cause, for comparisons, which ignore causes.
    public static var networkError: APIError { .networkError("") }
    /// The error ``insecureConnection(_:)`` without a cause, for comparisons, which ignore causes.
    public static var insecureConnection: APIError { .insecureConnection("") }
    /// The error ``unknown(_:)`` without a cause, for comparisons, which ignore causes.
    public static var unknown: APIError { .unknown("") }
    /// Returns the error ``fileError(_:_:)`` without a cause, for comparisons, which ignore causes.
    public static func fileError(_ kind: FileFailure.Kind) -> APIError { .fileError(kind, "") }
    /// The error ``unavailable(_:)`` without a cause, for comparisons, which ignore causes.
    public static var unavailable: APIError { .unavailable("") }

    /// Whether the same call may succeed if it is repeated later without changes.
    public var isRetryable: Bool {
        switch self {
        case .rateLimited, .timeout, .networkError, .offline, .unavailable: true
        case .serverError(let status): status != 501 && status != 505
        case .httpError(let status): status == 408 || status == 425
        default: false
        }
    }

    /// The error that caused this one, such as an `HTTPError`, if there is one.
    public var underlying: (any Error)? { cause?.context.underlying }

    /// The text for developers: the kind, and the cause if there is one.
    public var developerText: String {
        switch self {
        case .validationError(let fields): "validationError: " + fields.map { "\($0.field) \($0.message)" }.joined(separator: "; ")
        case .rateLimited(let wait): "rateLimited" + (wait.map { ", retry after \($0.shortText)" } ?? "")
        case .serverError(let status): "serverError \(status)"
        case .httpError(let status): "httpError \(status)"
        case .fileError(let kind, let cause): "\(messageKey) \(kind.rawValue)" + cause.afterColon
        default: messageKey + (cause?.afterColon ?? "")
        }
    }

    private var cause: HTTPError.Explanation? {
        switch self {
        case .invalidURL(let cause), .invalidRequest(let cause), .invalidResponse(let cause), .decodingError(let cause),
            .offline(let cause), .networkError(let cause), .unavailable(let cause), .insecureConnection(let cause),
            .fileError(_, let cause), .unknown(let cause):
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
        default: left.kind == right.kind
        }
    }
}

extension APIError {
    /// The cases without their values. The raw values are the keys of messages.
    private enum Kind: String {
        case unauthorized, forbidden, notFound, validationError, rateLimited, serverError, httpError, invalidURL, invalidRequest
        case invalidResponse, decodingError, offline, networkError, unavailable, insecureConnection, timeout, cancelled, fileError, unknown
    }

    private var kind: Kind {
        switch self {
        case .unauthorized: .unauthorized
        case .forbidden: .forbidden
        case .notFound: .notFound
        case .validationError: .validationError
        case .rateLimited: .rateLimited
        case .serverError: .serverError
        case .httpError: .httpError
        case .invalidURL: .invalidURL
        case .invalidRequest: .invalidRequest
        case .invalidResponse: .invalidResponse
        case .decodingError: .decodingError
        case .offline: .offline
        case .networkError: .networkError
        case .unavailable: .unavailable
        case .insecureConnection: .insecureConnection
        case .timeout: .timeout
        case .cancelled: .cancelled
        case .fileError: .fileError
        case .unknown: .unknown
        }
    }
}

extension HTTPError.Explanation {
    /// The text after a colon, or an empty string.
    fileprivate var afterColon: String {
        let text = text
        return text.isEmpty ? "" : ": \(text)"
    }
}

extension APIError: LocalizedError {
    /// The message for people in English, or nil after a cancellation. For other languages, see ``message(translate:)``.
    public var errorDescription: String? { message { _ in nil } }

    /// The key of the message in a table of translations.
    public var messageKey: String { if case .fileError(.diskFull, _) = self { "diskFull" } else { kind.rawValue } }

    /// Returns the message for people in a language of your choice, or nil after a cancellation.
    ///
    /// - Parameter translate: returns the text for a ``messageKey``, or nil for the English text. `%d` in the text for `httpError` is
    ///   replaced by the status.
    public func message(translate: (_ key: String) -> String?) -> String? {
        if case .cancelled = self { return nil }
        let text = translate(messageKey) ?? englishMessage
        guard case .httpError(let status) = self else { return text }
        return text.replacing("%d", with: "\(status)")
    }

    private var englishMessage: String {
        switch self {
        case .unauthorized: "Please sign in to continue"
        case .forbidden: "You don't have permission to access this"
        case .notFound: "The requested resource was not found"
        case .validationError(let fields) where fields.isEmpty: "Please check what you entered"
        case .validationError(let fields): fields.map(\.text).joined(separator: "\n")
        case .rateLimited: "Too many requests. Please wait a moment and try again."
        case .serverError: "Server error. Please try again later."
        case .httpError: "Request failed with status %d"
        case .invalidURL, .invalidRequest, .unknown: "Something went wrong"
        case .invalidResponse, .decodingError: "The server sent an unexpected response. Please try again later."
        case .offline: "You appear to be offline"
        case .networkError: "The connection to the server failed. Please check your internet connection and try again."
        case .unavailable: "The service is not available at the moment. Please try again later."
        case .insecureConnection: "A secure connection to the server could not be made"
        case .timeout: "The server took too long to respond. Please try again."
        case .fileError(.diskFull, _): "There is not enough space to save the file"
        case .fileError: "The file could not be saved"
        case .cancelled: ""
        }
    }
}
