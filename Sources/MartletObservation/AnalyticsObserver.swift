internal import MartletEssentials

/// An observer that reports the outcome of each call once, with the app's own error.
///
/// ```swift
/// let analytics = AnalyticsObserver(mapping: HTTPErrorMapper()) { report in
///     if let error = report.error {
///         track("call_failed", report.call.name, error.messageKey)
///     } else if !report.isCancelled {
///         track("call", report.call.name, report.duration)
///     }
/// }
/// let client = HTTPClient(baseURL: url, observers: [analytics])
/// ```
///
/// The name of the call, its path template, the status, ``Report/failure`` and the stage of an error are what the log of a release build
/// contains (`LogDetail.outline`). Errors contain more: do not send their descriptions to a service that must not receive personal data.
public struct AnalyticsObserver<Mapper: ErrorMapper>: CallObserver {
    /// The outcome of one call.
    public struct Report: Sendable {
        /// The call: its endpoint's name, path template, tags and GraphQL operations.
        public let call: CallInfo
        /// The time from the start of the call to its outcome.
        public let duration: Duration
        /// The number of exchanges with the transport, including redirects and retries. It is 0 if nothing was sent.
        public let attempts: Int
        /// The status of the response that was delivered, rejected or not decoded, that has GraphQL errors, or whose body could not be
        /// received or verified; nil if there was none.
        public let status: HTTPStatus?
        /// The app's error, or nil unless the call failed.
        public let error: Mapper.Failure?
        /// The error that ``error`` was mapped from, or nil unless the call failed.
        public let cause: HTTPError?
        /// Whether the caller cancelled the call, stopped reading its body, or started it while the client was draining.
        public let isCancelled: Bool
        /// The kind of the error, and the path of a value that could not be decoded, as in the log of a release build: without words of
        /// the server or the app. Nil unless the call failed.
        public let failure: String?
    }

    private let mapper: Mapper
    private let report: @Sendable (Report) -> Void

    /// Creates an observer that maps errors with `mapper`.
    ///
    /// - Parameters:
    ///   - mapper: Maps errors to those of the app.
    ///   - report: Called once for each call, on its task, which waits for it. It must return quickly.
    public init(mapping mapper: Mapper, report: @escaping @Sendable (Report) -> Void) {
        self.mapper = mapper
        self.report = report
    }

    /// Reports the end of a call.
    public func observe(_ event: CallEvent, of call: CallInfo) {
        guard case .ended(let outcome, let duration) = event else { return }
        switch outcome {
        case .success(let response):
            report(
                Report(
                    call: call, duration: duration, attempts: response?.metadata.request?.context.record?.count ?? 0,
                    status: response?.status, error: nil, cause: nil, isCancelled: false, failure: nil))
        case .failure(let error) where error.kind == .cancelled || error.kind == .draining:
            report(
                Report(
                    call: call, duration: duration, attempts: error.attempts, status: error.status, error: nil, cause: nil,
                    isCancelled: true, failure: nil))
        case .failure(let error):
            report(
                Report(
                    call: call, duration: duration, attempts: error.attempts, status: error.causingStatus,
                    error: mapper.map(error), cause: error, isCancelled: false, failure: LogDetail.outline.text(of: error)))
        }
    }
}

extension AnalyticsObserver where Mapper == HTTPErrorMapper {
    /// Creates an observer that maps errors to `APIError`.
    ///
    /// - Parameter report: Called once for each call, on its task, which waits for it. It must return quickly.
    public init(report: @escaping @Sendable (Report) -> Void) { self.init(mapping: HTTPErrorMapper(), report: report) }
}
