internal import MartletEssentials

/// Makes an app's own error of an `HTTPError`.
///
/// ```swift
/// struct FeatureMapper: ErrorMapper {
///     func map(_ error: HTTPError) -> FeatureError { error.status == .notFound ? .notFound : .other }
/// }
/// let api = client.mappingErrors(FeatureMapper())  // throws FeatureError, and only that
/// ```
public protocol ErrorMapper: Sendable {
    /// The app's error.
    associatedtype Failure: Error

    /// The app's error for `error`. It can't fail: every error has one.
    func map(_ error: HTTPError) -> Failure
}

/// Maps to `APIError`.
public struct HTTPErrorMapper: ErrorMapper {
    private let time: (any TimeSource)?

    /// Creates a mapper.
    ///
    /// - Parameter time: the clock that a `Retry-After` date is compared with if the response has no `Date`. Default: nil, the client's.
    public init(time: (any TimeSource)? = nil) { self.time = time }

    /// The app's view of an error.
    public func map(_ error: HTTPError) -> APIError {
        switch error {
        case .statusCode(let response): map(response)
        case .authenticationFailed(let what): unauthorized(what.context.underlying)
        case .timeout: .timeout
        case .cancelled, .draining: .cancelled
        case .networkError(let failure) where failure.kind == .offline: .offline(.init(error))
        case .networkError, .circuitOpen: .networkError(.init(error))
        case .invalidSSLCertificate: .insecureConnection(.init(error))
        case .invalidURL: .invalidURL(.init(error))
        case .invalidRequest, .encodingFailed, .bodyNotReplayable, .addressRefused: .invalidRequest(.init(error))
        case .invalidResponse, .redirectFailed, .responseTooLarge, .integrityFailed, .pagingFailed: .invalidResponse(.init(error))
        case .decodingFailed, .noData: .decodingError(.init(error))
        case .fileFailed(let failure): .fileError(failure.kind, .init(error))
        case .engineUnavailable, .interceptorFailed: .unknown(.init(error))
        }
    }

    /// Nobody has to sign in anew because the network or the server of tokens is away.
    private func unauthorized(_ cause: (any Error)?) -> APIError {
        guard let cause = cause as? HTTPError else { return .unauthorized }
        switch cause {
        case .networkError, .timeout, .invalidSSLCertificate, .circuitOpen: return map(cause)
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
        // The server's own clock, when it tells it: a date is meant against that one.
        let now = response.headers[.date].flatMap { HTTPDate($0)?.date }
        return response.headers.retryAfter(now: now ?? (time ?? response.metadata.request?.context.time ?? SystemTime()).now)
    }
}
