internal import MartletClient

extension SpanAttributes {
    /// Returns `error.type` of an attempt, or nil if it succeeded: a status from 400 on, the kind of the failure, or `_OTHER`.
    static func errorType(_ outcome: CallTrace.Outcome) -> String? {
        switch outcome {
        case .status(let status): status.rawValue >= 400 ? "\(status.rawValue)" : nil
        case .network(let kind): kind.rawValue
        case .timeout: "timeout"
        case .cancelled: "cancelled"
        case .failed: "_OTHER"
        }
    }

    /// Returns `error.type` of a call, or nil if it succeeded: a status, the kind of a network failure, or the name of the error's case.
    static func errorType(_ outcome: CallOutcome) -> String? {
        guard case .failed(let error) = outcome else { return nil }
        return errorType(error)
    }

    private static func errorType(_ error: HTTPError) -> String {
        switch error {
        case .statusCode(let response): "\(response.status.rawValue)"
        case .networkError(let failure): failure.kind.rawValue
        case .invalidURL: "invalidURL"
        case .invalidRequest: "invalidRequest"
        case .encodingFailed: "encodingFailed"
        case .invalidSSLCertificate: "invalidSSLCertificate"
        case .timeout: "timeout"
        case .cancelled: "cancelled"
        case .draining: "draining"
        case .invalidResponse: "invalidResponse"
        case .noData: "noData"
        case .decodingFailed: "decodingFailed"
        case .responseTooLarge: "responseTooLarge"
        case .fileFailed: "fileFailed"
        case .integrityFailed: "integrityFailed"
        case .redirectFailed: "redirectFailed"
        case .bodyNotReplayable: "bodyNotReplayable"
        case .pagingFailed: "pagingFailed"
        case .addressRefused: "addressRefused"
        case .authenticationFailed: "authenticationFailed"
        case .circuitOpen: "circuitOpen"
        case .limitExceeded: "limitExceeded"
        case .engineUnavailable: "engineUnavailable"
        case .interceptorFailed: "interceptorFailed"
        }
    }
}
