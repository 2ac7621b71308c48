extension HTTPError {
    /// The name of the error's case, such as `decodingFailed`, or the kind of a network failure, such as `connectionRefused`.
    package var caseName: String {
        switch self {
        case .invalidURL: "invalidURL"
        case .invalidRequest: "invalidRequest"
        case .encodingFailed: "encodingFailed"
        case .networkError(let failure): failure.kind.rawValue
        case .invalidSSLCertificate: "invalidSSLCertificate"
        case .timeout: "timeout"
        case .cancelled: "cancelled"
        case .draining: "draining"
        case .invalidResponse: "invalidResponse"
        case .noData: "noData"
        case .statusCode: "statusCode"
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
