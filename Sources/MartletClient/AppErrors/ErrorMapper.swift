public import MartletEssentials

/// A type that converts an `HTTPError` into the app's own error.
///
/// ```swift
/// struct FeatureMapper: ErrorMapper {
///     func map(_ error: HTTPError) -> FeatureError { error.status == .notFound ? .notFound : .other }
/// }
/// let api = client.mappingErrors(FeatureMapper())  // throws only FeatureError
/// ```
public protocol ErrorMapper: Sendable {
    /// The type of the app's error.
    associatedtype Failure: Error

    /// Returns the app's error for an `HTTPError`. The mapping can't fail.
    func map(_ error: HTTPError) -> Failure
}

/// The mapper that converts an `HTTPError` into an `APIError`.
public struct HTTPErrorMapper: ErrorMapper {
    private let time: (any TimeSource)?

    /// Creates a mapper.
    ///
    /// - Parameter time: The clock for a `Retry-After` date in a response without `Date`. Default: nil, the client's clock.
    public init(time: (any TimeSource)? = nil) { self.time = time }

    /// Returns the `APIError` for an `HTTPError`.
    public func map(_ error: HTTPError) -> APIError {
        switch error {
        case .statusCode(let response): map(response)
        case .authenticationFailed(let what): unauthorized(what.context.underlying)
        case .timeout: .timeout
        case .cancelled, .draining: .cancelled
        case .networkError(let failure) where failure.kind == .offline: .offline(.init(causedBy: error))
        case .networkError: .networkError(.init(causedBy: error))
        case .circuitOpen: .unavailable(.init(causedBy: error))
        case .limitExceeded: .rateLimited(retryAfter: error.retryAfter)
        case .invalidSSLCertificate: .insecureConnection(.init(causedBy: error))
        case .invalidURL: .invalidURL(.init(causedBy: error))
        case .invalidRequest, .encodingFailed, .bodyNotReplayable, .addressRefused: .invalidRequest(.init(causedBy: error))
        case .invalidResponse(let what) where what.context.underlying is any APIErrorSource:
            (what.context.underlying as? any APIErrorSource)?.apiError ?? .invalidResponse(.init(causedBy: error))
        case .invalidResponse, .redirectFailed, .responseTooLarge, .integrityFailed, .pagingFailed: .invalidResponse(.init(causedBy: error))
        case .decodingFailed, .noData: .decodingError(.init(causedBy: error))
        case .fileFailed(let failure): .fileError(failure.kind, .init(causedBy: error))
        case .engineUnavailable, .interceptorFailed: .unknown(.init(causedBy: error))
        }
    }

    /// Maps a failed authentication. If the network or the token server failed, the user does not have to sign in again.
    private func unauthorized(_ cause: (any Error)?) -> APIError {
        guard let cause = cause as? HTTPError else { return (cause as? any APIErrorSource)?.apiError ?? .unauthorized }
        switch cause {
        case .networkError, .timeout, .invalidSSLCertificate: return map(cause)
        case _ where cause.isRejection: return map(cause)
        case .statusCode(let response) where response.status.kind == .serverError || response.status == .tooManyRequests:
            return map(response)
        default: return .unauthorized
        }
    }

    private func map(_ response: HTTPResponse<Data>) -> APIError {
        let status = response.status
        switch status {
        case .unauthorized: return .unauthorized
        case .forbidden: return .forbidden
        case .notFound: return .notFound
        case .tooManyRequests: return .rateLimited(retryAfter: retryAfter(response))
        case .badRequest, .unprocessableContent:
            let fields = FieldError.read(from: response.body)
            if !fields.isEmpty { return .validationError(fields) }
            guard status == .unprocessableContent else { return .httpError(status.rawValue) }
            let problem = ProblemDetails(response.body)
            return .validationError((problem?.detail ?? problem?.title).map { [FieldError(field: "", message: $0)] } ?? [])
        default: return status.kind == .serverError ? .serverError(status.rawValue) : .httpError(status.rawValue)
        }
    }

    private func retryAfter(_ response: HTTPResponse<Data>) -> Duration? {
        // A `Retry-After` date is relative to the server's own clock if the response has a `Date`.
        let now = response.headers[.date].flatMap { HTTPDate($0)?.date }
        return response.headers.retryAfter(now: now ?? (time ?? response.metadata.request?.context.time ?? SystemTime()).now)
    }
}

/// An error of another layer that is an `APIError` of its own, such as GraphQL errors that observers of calls get as an `HTTPError`, and
/// the failures of a token endpoint.
package protocol APIErrorSource: Error {
    var apiError: APIError { get }
}

extension HTTPError: LocalizedError {
    /// The message for people in English, or nil after a cancellation.
    ///
    /// It is the message of the `APIError` that ``HTTPErrorMapper`` returns. The text for developers is `description`.
    public var errorDescription: String? { HTTPErrorMapper().map(self).errorDescription }
}
