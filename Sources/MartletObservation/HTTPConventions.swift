package import MartletHTTP

/// Values of attributes by OpenTelemetry's semantic conventions for HTTP clients, version 1.38, which spans, metrics and logs share.
package enum HTTPConventions {
    private static let methods = Set(HTTPMethod.standard)

    /// Whether the conventions name a method.
    package static func isKnown(_ method: HTTPMethod) -> Bool { method.isUsual || methods.contains(method) }

    /// Returns `http.request.method`: the method, or `_OTHER` for an unknown one.
    package static func method(_ method: HTTPMethod) -> String { isKnown(method) ? method.rawValue : "_OTHER" }

    /// Returns `url.template`: the template of a path with a slash before it, or an empty text for a full URL.
    package static func template(_ path: String) -> String { path.isEmpty || path.utf8.first == UInt8(ascii: "/") ? path : "/" + path }

    /// Returns `error.type` of an attempt, or nil if it succeeded: a status from 400 on, the kind of the failure, the name of another
    /// error, or `_OTHER` if that is not known.
    package static func errorType(_ outcome: CallTrace.Outcome, named name: String? = nil) -> String? {
        switch outcome {
        case .status(let status): status.rawValue >= 400 ? "\(status.rawValue)" : nil
        case .network(let kind): kind.rawValue
        case .timeout: "timeout"
        case .cancelled: "cancelled"
        case .failed: name ?? "_OTHER"
        }
    }

    /// Returns `error.type` of a call, or nil if it succeeded.
    package static func errorType(_ outcome: CallOutcome) -> String? {
        if case .failure(let error) = outcome { errorType(error) } else { nil }
    }

    /// Returns `error.type` of an error: a status, the kind of a network failure, or the name of the error's case.
    package static func errorType(_ error: HTTPError) -> String {
        if case .statusCode(let response) = error { "\(response.status.rawValue)" } else { error.caseName }
    }

    /// Returns the status of the response that was delivered, rejected or not decoded, or nil if there was none.
    package static func status(_ outcome: CallOutcome) -> HTTPStatus? {
        switch outcome {
        case .success(let response): response?.status
        case .failure(let error): error.causingStatus
        }
    }
}
