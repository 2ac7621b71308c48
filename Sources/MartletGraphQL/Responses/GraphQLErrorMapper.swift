internal import MartletEssentials
internal import MartletWebSocketProtocol

/// A mapper that converts a `GraphQLError` into an app's own error, by default into an `APIError`, so that views handle GraphQL and HTTP
/// failures in the same way.
///
/// ```swift
/// let api = graphQL.mappingErrors(GraphQLErrorMapper())  // throws only APIError
/// ```
///
/// `GraphQLErrorMapper()` maps to `APIError`: HTTP errors as an `HTTPErrorMapper` does, and errors of the server by their codes. A closure
/// maps to an error of the app, and may call `GraphQLErrorMapper().map(_:)` for the common errors. With `GraphQLErrorMapper()`, the first
/// of the server's errors with one of these codes decides:
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
/// The close codes 4401, 4403 and 4500 of a WebSocket are mapped like `UNAUTHENTICATED`, `FORBIDDEN` and `INTERNAL_SERVER_ERROR`, and a
/// closure after which another connection may succeed is a `.networkError`. If no error has such a code, an error status of the response
/// decides. Otherwise the result is `.unknown` with the messages.
public struct GraphQLErrorMapper<Failure: Error>: Sendable {
    private let makeError: @Sendable (GraphQLError) -> Failure

    /// Creates a mapper to an error of the app.
    public init(_ map: @escaping @Sendable (GraphQLError) -> Failure) { makeError = map }

    /// Returns the app's error for a GraphQL error; the mapping can't fail.
    public func map(_ error: GraphQLError) -> Failure { makeError(error) }
}

extension GraphQLErrorMapper where Failure == APIError {
    /// Creates a mapper to `APIError`.
    ///
    /// - Parameter time: The clock that a `Retry-After` date is compared with if the response has no `Date`. Default: nil, the client's.
    public init(time: (any TimeSource)? = nil) {
        let codes = CommonErrorCodes(http: HTTPErrorMapper(time: time))
        self.init { codes.map($0) }
    }
}

/// The error codes that many servers use.
private struct CommonErrorCodes: Sendable {
    let http: HTTPErrorMapper

    /// Returns the `APIError` for a GraphQL error.
    func map(_ error: GraphQLError) -> APIError {
        switch error {
        case .http(let error): http.map(error)
        case .response(let errors): map(errors, error)
        case .invalidDocument, .invalidOperation: .invalidRequest(.init(causedBy: error))
        // An app treats a missing stored response like a missing network.
        case .notCached: .networkError(.init(causedBy: error))
        case .closed(let closure): map(closure, error)
        }
    }

    private func map(_ closure: GraphQLSocketClosure, _ whole: GraphQLError) -> APIError {
        switch closure.code {
        case 4401: .unauthorized
        case 4403: .forbidden
        case 4500: .serverError(500)
        default: closure.meaning == .lost ? .networkError(.init(causedBy: whole)) : .unknown(.init(causedBy: whole))
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
        return .unknown(.init(causedBy: whole))
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
