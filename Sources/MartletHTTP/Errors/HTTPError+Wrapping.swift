extension HTTPError {
    /// Turns any error into this one: itself, a cancellation, a URL-loading error by its code, or a failure of the network.
    package init(wrapping error: any Error, stage: ErrorContext.Stage) {
        let context = ErrorContext(stage: stage, underlying: error)
        switch error {
        case let error as HTTPError: self = error
        case is CancellationError: self = .cancelled(context)
        default:
            self =
                HTTPError(urlError: error, context: context)
                ?? .networkError(NetworkFailure(.other, CodingPath.explain(error), context: context))
        }
    }

    /// Classifies an error of the URL loading system; nil when it is none.
    ///
    /// By domain and code, so that it needs no import of FoundationNetworking, which a program on Linux need not link.
    package init?(urlError error: any Error, context: ErrorContext) {
        guard error._domain == "NSURLErrorDomain" else { return nil }
        let words = "URL loading error \(error._code)"
        func network(_ kind: NetworkFailure.Kind) -> HTTPError { .networkError(NetworkFailure(kind, words, context: context)) }
        switch error._code {
        case -999: self = .cancelled(context)
        case -1000, -1002: self = .invalidURL(Explanation(words, context: context))
        case -1001: self = .timeout(context)
        case -1003, -1006: self = network(.hostNotFound)
        case -1004: self = network(.connectionRefused)
        case -1005: self = network(.connectionLost)
        case -1009, -1018, -1019, -1020: self = network(.unreachable)
        case -1007, -1010: self = .redirectFailed(Explanation(words, context: context))
        case -1011, -1015, -1016, -1017: self = .invalidResponse(Explanation(words, context: context))
        case -1206 ... -1200, -1022: self = .invalidSSLCertificate(Explanation(words, context: context))
        default: self = network(.other)
        }
    }
}
