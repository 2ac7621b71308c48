public import MartletEssentials
internal import MartletWebSocketProtocol

/// The error that every GraphQL client throws when an operation fails, or has errors that its error policy does not allow.
///
/// ```swift
/// do { show(try await graphQL.execute(HeroQuery(id: "1"))) } catch {
///     switch error {
///     case .response(let errors) where errors.contains { $0.code == "NOT_FOUND" }: showNotFound()
///     case .http(.timeout), .http(.networkError): offerRetry()
///     default: show(error.localizedDescription)
///     }
/// }
/// ```
///
/// Later versions may add cases. A `switch` outside this package needs a `default`.
@nonexhaustive public enum GraphQLError: Error, Sendable {
    /// No usable GraphQL response was received, because the network failed, the response is not GraphQL, or its data could not be decoded.
    /// The last is `.decodingFailed`, which keeps the body.
    case http(HTTPError)
    /// The server responded with these GraphQL errors, with or without data.
    case response([GraphQLResponseError])
    /// The document is invalid and was not sent; the value has the line and column of the mistake.
    case invalidDocument(GraphQLSyntaxError)
    /// The operation cannot be sent in the requested way, such as a mutation by GET, a subscription where a single response is expected, or
    /// variables that cannot be encoded.
    case invalidOperation(HTTPError.Explanation)
    /// The document cache has no fresh response for the operation, and the policy `.cacheOnly` forbids asking the server.
    case notCached
    /// The server closed the WebSocket of a subscription with this code, such as 4403, or rejected it.
    case closed(GraphQLSocketClosure)

    /// The server's errors of ``response(_:)``, or an empty array for the other cases.
    public var errors: [GraphQLResponseError] { if case .response(let errors) = self { errors } else { [] } }

    /// The HTTP error of ``http(_:)``, or nil for the other cases.
    public var httpError: HTTPError? { if case .http(let error) = self { error } else { nil } }

    /// The status and header fields of the response that contains the errors or can't be decoded, or nil for other errors. It is also nil
    /// for HTTP errors without `HTTPError.response`, even if a response was received.
    public var response: HTTPResponse<Void>? {
        switch self {
        case .http(let error): error.response.map { $0.map { _ in } }
        case .response(let errors): errors.first?.response
        case .closed(let closure): closure.response
        case .invalidDocument, .invalidOperation, .notCached: nil
        }
    }

    /// Whether the call was cancelled. An app shows no message in this case.
    public var isCancelled: Bool { httpError == .cancelled }

    /// Whether the server rejected the credential, with the status 401, the error code `UNAUTHENTICATED` or the close code 4401, or no
    /// credential could be obtained.
    public var isAuthenticationError: Bool {
        switch self {
        case .http(.authenticationFailed): true
        case .http(let error): error.status == .unauthorized
        case .response(let errors): errors.contains(where: \.isAuthenticationError)
        case .closed(let closure): closure.code == 4401
        case .invalidDocument, .invalidOperation, .notCached: false
        }
    }
}

extension GraphQLError: Equatable {
    /// Returns whether both errors are the same case with equal values, whatever their contexts (request, stage, attempts).
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.http(let left), .http(let right)): left == right
        case (.response(let left), .response(let right)): left == right
        case (.invalidDocument(let left), .invalidDocument(let right)): left == right
        case (.invalidOperation(let left), .invalidOperation(let right)): left.text == right.text
        case (.notCached, .notCached): true
        case (.closed(let left), .closed(let right)): left == right
        default: false
        }
    }
}

extension GraphQLError: LocalizedError, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// The message for people in English, or nil after a cancellation. It is that of the `APIError` that ``GraphQLErrorMapper`` returns.
    public var errorDescription: String? { GraphQLErrorMapper().map(self).errorDescription }

    /// What failed, and in which operation, in one line for developers. Secrets are redacted. `errorDescription` is the message for
    /// people.
    public var description: String {
        switch self {
        case .http(let error): return error.description
        case .response(let errors):
            let name = errors.first?.operationName.map { " of \($0)" } ?? ""
            let place = errors.first?.response?.metadata.request.map { ": \($0)" } ?? ""
            return Redaction.visible("GraphQL errors\(name): \(GraphQLError.text(of: errors))\(place)")
        case .invalidDocument(let error): return "Invalid GraphQL document: \(error)"
        case .invalidOperation(let what): return "Invalid GraphQL operation: \(what)"
        case .closed(let closure):
            let place = closure.response?.metadata.request.map { ": \($0)" } ?? ""
            return Redaction.visible("The server closed the WebSocket with \(closure)\(place)")
        case .notCached: return "The document cache has no fresh response, and the policy .cacheOnly forbids asking the server"
        }
    }

    /// Returns the descriptions of the first five errors, the number of the others, and the hint about their response.
    static func text(of errors: [GraphQLResponseError]) -> String {
        let more = errors.count > 5 ? "; and \(errors.count - 5) more" : ""
        let hint = errors.first?.context.hint.map { " (\($0))" } ?? ""
        return errors.prefix(5).map(\.description).joined(separator: "; ") + more + hint
    }
}
