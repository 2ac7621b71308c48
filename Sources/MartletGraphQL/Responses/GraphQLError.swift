public import MartletEssentials

/// The error that every GraphQL client throws: why an operation returned no data.
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
    /// There is no GraphQL response: the network failed, the status is an error and the body is not GraphQL, or the body could not be
    /// decoded (`.decodingFailed`, which keeps the body).
    case http(HTTPError)
    /// The server responded with GraphQL errors.
    case response([GraphQLResponseError])
    /// The document is invalid and was not sent. The payload has the line and column of the mistake.
    case invalidDocument(GraphQLSyntaxError)
    /// The operation cannot be sent in the requested way: a mutation by GET, a subscription where a single response is expected, or
    /// variables that cannot be encoded.
    case invalidOperation(HTTPError.Explanation)
    /// The response is not in the client's document cache, and the policy `.cacheOnly` forbids asking the server.
    case notCached

    /// The server's errors, or an empty array when there is no GraphQL response.
    public var errors: [GraphQLResponseError] { if case .response(let errors) = self { errors } else { [] } }

    /// The HTTP error, or nil for the other cases.
    public var httpError: HTTPError? { if case .http(let error) = self { error } else { nil } }

    /// The status and header fields of the response, or nil without one.
    public var response: HTTPResponse<Void>? {
        switch self {
        case .http(let error): error.response.map { $0.map { _ in } }
        case .response(let errors): errors.first?.response
        case .invalidDocument, .invalidOperation, .notCached: nil
        }
    }

    /// Whether the call was cancelled. An app shows no message in this case.
    public var isCancelled: Bool { httpError == .cancelled }

    /// Whether the server rejects the credential: the status is 401, or an error has the code `UNAUTHENTICATED`.
    public var isAuthenticationError: Bool {
        switch self {
        case .http(.authenticationFailed): true
        case .http(let error): error.status == .unauthorized
        case .response(let errors): errors.contains(where: \.isAuthenticationError)
        case .invalidDocument, .invalidOperation, .notCached: false
        }
    }
}

extension GraphQLError: Equatable {
    /// Whether both errors describe the same failure. The context (request, stage, attempts) is ignored.
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.http(let left), .http(let right)): left == right
        case (.response(let left), .response(let right)): left == right
        case (.invalidDocument(let left), .invalidDocument(let right)): left == right
        case (.invalidOperation(let left), .invalidOperation(let right)): left.text == right.text
        case (.notCached, .notCached): true
        default: false
        }
    }
}

extension GraphQLError: LocalizedError, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// The message for people in English, or nil after a cancellation: the message of the `APIError` that ``GraphQLErrorMapper`` returns.
    public var errorDescription: String? { GraphQLErrorMapper().map(self).errorDescription }

    /// One line for developers: what failed, and in which operation. Secrets are redacted. `localizedDescription` is the message for
    /// people.
    public var description: String {
        switch self {
        case .http(let error): return error.description
        case .response(let errors):
            let name = errors.first?.operationName.map { " of \($0)" } ?? ""
            let told = errors.prefix(5).map(\.description).joined(separator: "; ")
            let more = errors.count > 5 ? "; and \(errors.count - 5) more" : ""
            let place = errors.first?.response?.metadata.request.map { ": \($0)" } ?? ""
            return Redaction.visible("GraphQL errors\(name): \(told)\(more)\(place)")
        case .invalidDocument(let error): return "Invalid GraphQL document: \(error)"
        case .invalidOperation(let what): return "Invalid GraphQL operation: \(what)"
        case .notCached: return "The response is not in the document cache, and the policy .cacheOnly forbids asking the server"
        }
    }
}
