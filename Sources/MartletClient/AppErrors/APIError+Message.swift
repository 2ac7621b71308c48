public import MartletEssentials

extension APIError: LocalizedError {
    /// The message for people in English, or nil after a cancellation. For other languages, see ``message(translate:)``.
    public var errorDescription: String? { message { _ in nil } }

    /// The key of the message in a table of translations.
    public var messageKey: String {
        switch self {
        case .unauthorized: "unauthorized"
        case .forbidden: "forbidden"
        case .notFound: "notFound"
        case .validationError: "validationError"
        case .rateLimited: "rateLimited"
        case .serverError: "serverError"
        case .httpError: "httpError"
        case .invalidURL: "invalidURL"
        case .invalidRequest: "invalidRequest"
        case .invalidResponse: "invalidResponse"
        case .decodingError: "decodingError"
        case .offline: "offline"
        case .networkError: "networkError"
        case .insecureConnection: "insecureConnection"
        case .timeout: "timeout"
        case .cancelled: "cancelled"
        case .fileError(.diskFull, _): "diskFull"
        case .fileError: "fileError"
        case .unknown: "unknown"
        }
    }

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
        case .invalidResponse, .decodingError: "The server's response could not be understood"
        case .offline: "You appear to be offline"
        case .networkError: "The server can't be reached. Please check your connection and try again."
        case .insecureConnection: "A secure connection to the server could not be made"
        case .timeout: "The server took too long to respond. Please try again."
        case .fileError(.diskFull, _): "There is not enough space to save the file"
        case .fileError: "The file could not be saved"
        case .cancelled: ""
        }
    }
}
