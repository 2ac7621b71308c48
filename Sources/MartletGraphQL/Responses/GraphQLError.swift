public import MartletEssentials

/// Why an operation gave no data: the one error that GraphQL clients throw.
///
/// ```swift
/// do { data = try await graphQL.execute(HeroQuery(id: id)) } catch {
///     switch error {
///     case .response(let errors) where errors.contains { $0.code == "NOT_FOUND" }: show("nobody")
///     case .http(.timeout), .http(.networkError): offerRetry()
///     default: show(error.localizedDescription)
///     }
/// }
/// ```
///
/// Cases may be added in later versions: switches outside this package need a `default`.
@nonexhaustive public enum GraphQLError: Error, Sendable {
    /// There was no GraphQL answer: the network failed, the status was an error without GraphQL in it, the body was not understood
    /// (`.decodingFailed`, with the body).
    case http(HTTPError)
    /// The server answered with errors.
    case response([GraphQLResponseError])
    /// The document can't be sent: a mistake in it, with line and column.
    case invalidDocument(GraphQLSyntaxError)
    /// The operation can't be sent as it was asked for: a mutation by GET, a subscription where one answer is wanted, variables that can't
    /// be encoded.
    case invalidOperation(HTTPError.Explanation)
    /// The answer is not in the client's document cache, and the server was not to be asked: `.cacheOnly`.
    case notCached

    /// The server's errors; empty when there was no GraphQL answer.
    public var errors: [GraphQLResponseError] { if case .response(let errors) = self { errors } else { [] } }

    /// The error of HTTP, when it is one.
    public var httpError: HTTPError? { if case .http(let error) = self { error } else { nil } }

    /// The status and the fields of the answer, when there was one.
    public var response: HTTPResponse<Void>? {
        switch self {
        case .http(let error): error.response.map { $0.map { _ in } }
        case .response(let errors): errors.first?.response
        case .invalidDocument, .invalidOperation, .notCached: nil
        }
    }

    /// Whether the call was cancelled: nothing to tell anybody.
    public var isCancelled: Bool { httpError == .cancelled }

    /// Whether the server wants other credentials: status 401, or an error with the code `UNAUTHENTICATED`.
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
    /// Whether the same happened; what surrounds it does not count.
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

    /// What happened to which operation, in one line for developers, without secrets. The message for people is `localizedDescription`.
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
        case .notCached: return "The answer is not in the cache, and the server was not to be asked"
        }
    }
}
