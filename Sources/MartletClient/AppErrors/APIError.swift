/// An error as an app sees it: few kinds, words for people, and whether it is worth trying again.
///
/// ```swift
/// let api = client.mappingErrors(HTTPErrorMapper())
/// do { user = try await api.send(GetUser(id: 1)) } catch {  // error is APIError
///     message = error.errorDescription
///     showsRetry = error.isRetryable
/// }
/// ```
///
/// `==` compares kinds and what they carry for people (fields, status, wait), not the text for developers. Cases may be added in
/// later versions: switches outside this package need a `default`.
@nonexhaustive public enum APIError: Error, Sendable {
    /// 401, or no credential could be got: the user must sign in.
    case unauthorized
    /// 403.
    case forbidden
    /// 404.
    case notFound
    /// 422, or 400 with fields: what the user entered was refused.
    case validationError([FieldError])
    /// 429: wait so long, when the server says.
    case rateLimited(retryAfter: Duration?)
    /// 500 to 599.
    case serverError(Int)
    /// Any other status that was not accepted.
    case httpError(Int)
    /// The URL was wrong: a mistake in the program. With the text for developers.
    case invalidURL(String)
    /// The request could not be made: a mistake in the program. With the text for developers.
    case invalidRequest(String)
    /// The answer was not understood as HTTP, was too large, or was redirected too far. With the text for developers.
    case invalidResponse(String)
    /// The answer is not what the app expects. With the text for developers.
    case decodingError(String)
    /// There was no answer: the network failed. With the text for developers.
    case networkError(String)
    /// The connection could not be made secure. With the text for developers.
    case insecureConnection(String)
    /// There was no answer in time.
    case timeout
    /// The call was cancelled: say nothing.
    case cancelled
    /// A file could not be read or written: the disk is full, a folder may not be written. With the text for developers.
    case fileError(FileFailure.Kind, String)
    /// Anything else. With the text for developers.
    case unknown(String)
}

extension APIError {
    /// The URL was wrong, for throwing and comparing.
    public static var invalidURL: APIError { .invalidURL("") }
    /// The answer was not understood, for throwing and comparing.
    public static var invalidResponse: APIError { .invalidResponse("") }
    /// The answer is not what the app expects, for throwing and comparing.
    public static var decodingError: APIError { .decodingError("") }
    /// The network failed, for throwing and comparing.
    public static var networkError: APIError { .networkError("") }

    /// Whether the same call may well succeed a little later.
    public var isRetryable: Bool {
        switch self {
        case .rateLimited, .timeout, .networkError: true
        case .serverError(let status): status != 501 && status != 505
        case .httpError(let status): status == 408 || status == 425
        default: false
        }
    }

    /// What it says to developers: the kind, and the cause where there is one.
    public var developerText: String {
        switch self {
        case .validationError(let fields): "validationError: " + fields.map { "\($0.field) \($0.message)" }.joined(separator: "; ")
        case .rateLimited(let wait): "rateLimited" + (wait.map { ", retry after \($0)" } ?? "")
        case .serverError(let status): "serverError \(status)"
        case .httpError(let status): "httpError \(status)"
        case .invalidURL(let text), .invalidRequest(let text), .invalidResponse(let text), .decodingError(let text),
            .networkError(let text), .insecureConnection(let text), .unknown(let text):
            text.isEmpty ? messageKey : "\(messageKey): \(text)"
        case .fileError(let kind, let text): "\(messageKey) \(kind.rawValue)" + (text.isEmpty ? "" : ": \(text)")
        case .unauthorized, .forbidden, .notFound, .timeout, .cancelled: messageKey
        }
    }
}

extension APIError: Equatable {
    /// Whether the kinds, and what they carry for people, are the same.
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

/// What was wrong with one field that the user entered.
public struct FieldError: Sendable, Hashable {
    /// The field's name, nested names joined with dots; empty when the error is about the whole.
    public let field: String
    /// The server's words about it.
    public let message: String

    /// What was wrong with a field.
    public init(field: String, message: String) {
        self.field = field
        self.message = message
    }
}
