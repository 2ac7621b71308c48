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
        self.init(urlErrorCode: error._code, "URL loading error \(error._code)") { _ in context }
    }

    /// Classifies a code of `NSURLErrorDomain`.
    ///
    /// - Parameters:
    ///   - text: the explanation.
    ///   - context: makes the context. It gets the stage in which such an error occurs, or nil when it may occur in any.
    package init(urlErrorCode code: Int, _ text: String, context: (ErrorContext.Stage?) -> ErrorContext) {
        func network(_ kind: NetworkFailure.Kind, _ stage: ErrorContext.Stage?) -> HTTPError {
            .networkError(NetworkFailure(kind, text, context: context(stage)))
        }
        func explanation(_ stage: ErrorContext.Stage? = nil) -> Explanation { Explanation(text, context: context(stage)) }
        switch code {
        case -999: self = .cancelled(context(nil))
        case -1000, -1002: self = .invalidURL(explanation(.request))
        case -1001: self = .timeout(context(nil))
        case -1003, -1006: self = network(.failedLookup(), .connect)
        case -1004: self = network(.connectionRefused, .connect)
        case -1005: self = network(.connectionLost, nil)
        case -1009, -1018, -1019, -1020: self = network(.offline, .connect)
        case -1007, -1010: self = .redirectFailed(explanation())
        case -1011, -1015, -1016, -1017: self = .invalidResponse(explanation())
        case -1206 ... -1200, -1022: self = .invalidSSLCertificate(explanation(.connect))
        default: self = network(.other, nil)
        }
    }
}
