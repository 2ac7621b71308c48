internal import MartletEssentials

/// Makes an app's own error of a `GraphQLError`.
///
/// ```swift
/// let api = graphQL.mappingErrors(GraphQLErrorMapper())  // throws APIError, and only that
/// ```
public protocol GraphQLErrorMapping: Sendable {
    /// The app's error.
    associatedtype Failure: Error

    /// The app's error for `error`. It can't fail: every error has one.
    func map(_ error: GraphQLError) -> Failure
}

/// Maps to `APIError`, so that a view needs not know which of its data came by GraphQL.
///
/// Errors of HTTP are mapped by an `HTTPErrorMapper`. Of the server's errors, the first whose code is known decides:
///
/// | code | error |
/// |---|---|
/// | `UNAUTHENTICATED`, `UNAUTHORIZED` | `.unauthorized` |
/// | `FORBIDDEN` | `.forbidden` |
/// | `NOT_FOUND` | `.notFound` |
/// | `BAD_USER_INPUT`, `VALIDATION_ERROR` | `.validationError`, the field from `extensions.field` or the end of the path |
/// | `RATE_LIMITED`, `TOO_MANY_REQUESTS`, `THROTTLED` | `.rateLimited`, the wait from `Retry-After` |
/// | `TIMEOUT` | `.timeout` |
/// | `INTERNAL_SERVER_ERROR`, `INTERNAL_ERROR` | `.serverError`, with the answer's status, or 500 |
///
/// Without such a code the answer's status decides where it is an error; what is left is `.unknown` with the messages.
public struct GraphQLErrorMapper: GraphQLErrorMapping {
    private let http: HTTPErrorMapper

    /// Creates a mapper.
    ///
    /// - Parameter time: the clock that a `Retry-After` date is compared with if the response has no `Date`. Default: nil, the client's.
    public init(time: (any TimeSource)? = nil) { http = HTTPErrorMapper(time: time) }

    /// The app's view of an error.
    public func map(_ error: GraphQLError) -> APIError {
        switch error {
        case .http(let error): http.map(error)
        case .response(let errors): map(errors, error)
        case .invalidDocument, .invalidOperation: .invalidRequest(.init(error))
        // As without a network.
        case .notCached: .networkError(.init(error))
        }
    }

    private func map(_ errors: [GraphQLResponseError], _ whole: GraphQLError) -> APIError {
        for error in errors {
            switch error.code?.uppercased() {
            case "UNAUTHENTICATED", "UNAUTHORIZED": return .unauthorized
            case "FORBIDDEN": return .forbidden
            case "NOT_FOUND": return .notFound
            case "BAD_USER_INPUT", "VALIDATION_ERROR": return .validationError(errors.compactMap(field))
            case "RATE_LIMITED", "TOO_MANY_REQUESTS", "THROTTLED": return rateLimited(error)
            case "TIMEOUT": return .timeout
            case "INTERNAL_SERVER_ERROR", "INTERNAL_ERROR":
                let status = error.response?.status
                return .serverError(status?.kind == .serverError ? status?.rawValue ?? 500 : 500)
            default: continue
            }
        }
        if let response = whole.response, response.status.kind == .clientError || response.status.kind == .serverError {
            return http.map(.statusCode(response.map { _ in Data() }))
        }
        return .unknown(.init(whole))
    }

    private func field(_ error: GraphQLResponseError) -> FieldError? {
        guard ["BAD_USER_INPUT", "VALIDATION_ERROR"].contains(error.code?.uppercased()) else { return nil }
        let named = error.extensions["field"]?.stringValue ?? error.extensions["argumentName"]?.stringValue
        return FieldError(field: named ?? error.path.last?.description ?? "", message: error.message)
    }

    private func rateLimited(_ error: GraphQLResponseError) -> APIError {
        http.map(.statusCode(HTTPResponse(status: .tooManyRequests, headers: error.response?.headers ?? [:], body: Data())))
    }
}
