internal import MartletEssentials

/// A type that converts a `GraphQLError` into an app's own error.
///
/// ```swift
/// let api = graphQL.mappingErrors(GraphQLErrorMapper())  // throws only APIError
/// ```
public protocol GraphQLErrorMapping: Sendable {
    /// The app's error.
    associatedtype Failure: Error

    /// Returns the app's error for a `GraphQLError`; the mapping can't fail.
    func map(_ error: GraphQLError) -> Failure
}

/// The mapper that converts a `GraphQLError` into an `APIError`, so that views handle GraphQL and HTTP failures in the same way.
///
/// HTTP errors are mapped by an `HTTPErrorMapper`. Among the server's errors, the first with one of these codes decides:
///
/// | code | error |
/// |---|---|
/// | `UNAUTHENTICATED`, `UNAUTHORIZED` | `.unauthorized` |
/// | `FORBIDDEN` | `.forbidden` |
/// | `NOT_FOUND` | `.notFound` |
/// | `BAD_USER_INPUT`, `VALIDATION_ERROR` | `.validationError`, the field from `extensions.field` or the end of the path |
/// | `RATE_LIMITED`, `TOO_MANY_REQUESTS`, `THROTTLED` | `.rateLimited`, the wait from `Retry-After` |
/// | `TIMEOUT` | `.timeout` |
/// | `INTERNAL_SERVER_ERROR`, `INTERNAL_ERROR` | `.serverError`, with the status of the response, or 500 |
///
/// If no error has such a code, an error status of the response decides. Otherwise the result is `.unknown` with the messages.
public struct GraphQLErrorMapper: GraphQLErrorMapping {
    private let http: HTTPErrorMapper

    /// Creates a mapper.
    ///
    /// - Parameter time: the clock that a `Retry-After` date is compared with if the response has no `Date`. Default: nil, the client's.
    public init(time: (any TimeSource)? = nil) { http = HTTPErrorMapper(time: time) }

    /// Returns the `APIError` for a GraphQL error.
    public func map(_ error: GraphQLError) -> APIError {
        switch error {
        case .http(let error): http.map(error)
        case .response(let errors): map(errors, error)
        case .invalidDocument, .invalidOperation: .invalidRequest(.init(error))
        // An app treats a missing stored response like a missing network.
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
