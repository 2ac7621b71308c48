/// An interceptor that logs requests and responses at its place in the chain, with secrets hidden.
///
/// To log calls with their outcomes, use a ``LoggingObserver``: an interceptor does not see that a response was rejected or could not be
/// decoded, or how a stream ended. An observer can also log each attempt as the transport gets it. Use this interceptor to see what the
/// interceptors around its place change.
///
/// ```swift
/// LoggingInterceptor()                                      // the basics, to the platform's log, in debug builds only
/// LoggingInterceptor(detail: .bodies)                       // bodies in debug builds, an outline in release builds
/// LoggingInterceptor(detail: .headers, maxDetailInRelease: .headers, to: .standardError)
/// LoggingInterceptor(detail: .bodies) { print($0.message) }
/// ```
///
/// A release build logs only `LogDetail.outline`, whatever `detail` is, so that a published app does not write bodies or personal data to
/// the system's log. `maxDetailInRelease` permits more. A release build is one without the `DEBUG` condition: SwiftPM and Xcode compile
/// packages in the app's build configuration.
///
/// Credentials in fields, and values with the name of a secret in URLs, JSON and forms, are always hidden. Plain text, event streams and
/// JSON lines are shown with apparent secrets hidden. Other bodies are logged as type and length, and so is JSON that is invalid or longer
/// than 256 KB. Secrets are found by name, which is not a guarantee: mark other fields with `HTTPFields.markAsCredential(_:)`.
///
/// A body is logged if it is in memory. The start of a stream, and how it ended, are in the log of an observer.
///
/// A server's text cannot imitate an entry: control characters are made visible, and further lines are indented.
public struct LoggingInterceptor: Interceptor, CredentialAddingInterceptor {
    private let observer: LoggingObserver
    private let time: (any TimeSource)?

    /// Creates an interceptor that logs basic details to the platform's log in debug builds, and nothing in release builds.
    public init() { self.init(LoggingObserver(), nil) }

    /// Creates an interceptor that logs `detail` in debug builds, and at most `maxDetailInRelease` in release builds.
    ///
    /// - Parameters:
    ///   - detail: How much is logged about each request.
    ///   - maxDetailInRelease: The maximum detail in a release build. More than the default may write personal data to the log. Default:
    ///     `.outline`.
    ///   - sink: The destination. Default: the system's log on Apple platforms, standard error on Linux.
    ///   - level: The lowest level that is written. Default: `.debug`, all entries.
    ///   - maxBodyBytes: The maximum number of bytes of each body that `.bodies` logs, at most 1 MiB. Default: 4,096.
    ///   - time: The clock that measures durations. Default: nil, the client's.
    public init(
        detail: LogDetail, maxDetailInRelease: LogDetail = .outline, to sink: LogSink = .platform, from level: LogEntry.Level = .debug,
        maxBodyBytes: Int = 4_096, time: (any TimeSource)? = nil
    ) {
        self.init(
            LoggingObserver(detail: detail, maxDetailInRelease: maxDetailInRelease, to: sink, from: level, maxBodyBytes: maxBodyBytes), time
        )
    }

    /// Creates an interceptor that logs basic details to a sink in debug builds, and an outline in release builds.
    public init(to sink: LogSink) { self.init(detail: .basic, to: sink) }

    /// Creates an interceptor that passes each entry to a closure. Concurrent calls run the closure on any task.
    ///
    /// Release builds limit the text of the entries as for other sinks. ``LogEntry/request`` and ``LogEntry/event`` are complete in every
    /// build.
    ///
    /// - Parameters:
    ///   - detail: How much is logged about each request. Default: `.basic`.
    ///   - maxDetailInRelease: The maximum detail in a release build. Default: `.outline`.
    ///   - level: The lowest level that is passed on. Default: `.debug`, all entries.
    ///   - maxBodyBytes: The maximum number of bytes of each body that `.bodies` logs, at most 1 MiB. Default: 4,096.
    ///   - time: The clock that measures durations. Default: nil, the client's.
    ///   - write: Receives each entry.
    public init(
        detail: LogDetail = .basic, maxDetailInRelease: LogDetail = .outline, from level: LogEntry.Level = .debug,
        maxBodyBytes: Int = 4_096,
        time: (any TimeSource)? = nil, _ write: @escaping @Sendable (LogEntry) -> Void
    ) {
        self.init(
            detail: detail, maxDetailInRelease: maxDetailInRelease, to: LogSink(write), from: level, maxBodyBytes: maxBodyBytes, time: time)
    }

    init(_ observer: LoggingObserver, _ time: (any TimeSource)?) {
        self.observer = observer
        self.time = time
    }

    /// The destination; nil if nothing is written.
    var sink: LogSink? { observer.sink }

    /// Returns true: the interceptor waits only for `next`.
    public var endsByDeadline: Bool { true }

    /// Logs the request, sends it, and logs the response or the failure.
    public func intercept(_ request: HTTPRequest, next: Next) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        guard sink != nil else { return try await next(request) }
        return try await observer.exchange(request, time: time ?? request.context.time) { () async throws(HTTPError) in
            try await next(request)
        }
    }
}
