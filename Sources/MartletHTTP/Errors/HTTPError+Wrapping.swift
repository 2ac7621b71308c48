/// An error of another layer that may have been caused by an `HTTPError`, such as the error of a token store that uses HTTP.
package protocol HTTPErrorCausedError: Error {
    /// The `HTTPError` that caused it, or nil.
    var httpCause: HTTPError? { get }
}

extension HTTPError {
    /// Returns the error itself if it is an `HTTPError`, the `HTTPError` that caused it, or nil.
    package static func cause(of error: any Error) -> HTTPError? {
        error as? HTTPError ?? (error as? any HTTPErrorCausedError)?.httpCause
    }

    /// Converts any error: to the `HTTPError` that caused it, a cancellation, a URL loading error by its code, or a network error.
    package init(wrapping error: any Error, stage: ErrorContext.Stage) {
        let context = ErrorContext(stage: stage, underlying: error)
        self =
            HTTPError.cause(of: error) ?? (error is CancellationError ? .cancelled(context) : nil)
            ?? HTTPError(urlError: error, context: context)
            ?? .networkError(NetworkFailure(.other, CodingPath.explain(error), context: context))
    }

    /// Classifies an error of the URL loading system. Nil for any other error.
    ///
    /// Compares domain and code, so that programs on Linux need not link FoundationNetworking.
    package init?(urlError error: any Error, context: ErrorContext) {
        guard error._domain == "NSURLErrorDomain" else { return nil }
        self.init(urlErrorCode: error._code, "URL loading error \(error._code)") { _ in context }
    }

    /// Classifies a code of `NSURLErrorDomain`.
    ///
    /// - Parameters:
    ///   - text: The explanation.
    ///   - context: Creates the context. Its argument is the stage at which such an error occurs, or nil if it may occur at any stage.
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
