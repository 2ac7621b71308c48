internal import MartletEssentials
internal import MartletSystem

/// An interceptor that logs requests and responses at its place in the chain, with secrets hidden.
///
/// To log calls with their outcomes, use a ``LoggingObserver``: an interceptor does not see that a response was rejected or could not be
/// decoded, or how a stream ended. Use this interceptor to see what other interceptors change. Place it last to log every attempt.
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
/// Logging a body does not consume it. The start of a body in memory or in a file is logged with its message. A streamed response is logged
/// in a later entry, after enough of it was read: up to 256 KB of JSON or of a body without a type, up to the limit of another body.
///
/// A server's text cannot imitate an entry: control characters are made visible, and further lines are indented.
public struct LoggingInterceptor: Interceptor, CredentialAddingInterceptor {
    private let detail: LogDetail
    private let level: LogEntry.Level
    private let maxBodyBytes: Int
    /// The destination; nil if nothing is written.
    let sink: LogSink?
    private let time: (any TimeSource)?
    private let numbers = Locked(0)

    /// Creates an interceptor that logs basic details to the platform's log in debug builds, and nothing in release builds.
    public init() {
        self.init(.basic, .basic, LoggingInterceptor.sinkOfNobody(isDebugBuild: LoggingInterceptor.isDebugBuild), .debug, 0, nil)
    }

    /// Creates an interceptor that logs `detail` in debug builds, and at most `maxDetailInRelease` in release builds.
    ///
    /// - Parameters:
    ///   - detail: how much is logged about each request.
    ///   - maxDetailInRelease: the maximum detail in a release build. More than the default may write personal data to the log. Default:
    ///     `.outline`.
    ///   - sink: the destination. Default: the system's log on Apple platforms, standard error on Linux.
    ///   - level: the lowest level that is written. Default: `.debug`, all entries.
    ///   - maxBodyBytes: the maximum number of bytes of each body that `.bodies` logs, at most 1 MiB. Default: 4,096.
    ///   - time: the clock that measures durations. Default: nil, the client's.
    public init(
        detail: LogDetail, maxDetailInRelease: LogDetail = .outline, to sink: LogSink = .platform, from level: LogEntry.Level = .debug,
        maxBodyBytes: Int = 4_096, time: (any TimeSource)? = nil
    ) {
        self.init(detail, maxDetailInRelease, sink, level, maxBodyBytes, time)
    }

    /// Creates an interceptor that logs basic details to a sink in debug builds, and an outline in release builds.
    public init(to sink: LogSink) { self.init(detail: .basic, to: sink) }

    /// Creates an interceptor that passes each entry to a closure. Concurrent calls run the closure on any task.
    ///
    /// Release builds limit the text of the entries as for other sinks. ``LogEntry/request`` and ``LogEntry/event`` are complete in every
    /// build.
    ///
    /// - Parameters:
    ///   - detail: how much is logged about each request. Default: `.basic`.
    ///   - maxDetailInRelease: the maximum detail in a release build. Default: `.outline`.
    ///   - level: the lowest level that is passed on. Default: `.debug`, all entries.
    ///   - maxBodyBytes: the maximum number of bytes of each body that `.bodies` logs, at most 1 MiB. Default: 4,096.
    ///   - time: the clock that measures durations. Default: nil, the client's.
    ///   - write: receives each entry.
    public init(
        detail: LogDetail = .basic, maxDetailInRelease: LogDetail = .outline, from level: LogEntry.Level = .debug,
        maxBodyBytes: Int = 4_096,
        time: (any TimeSource)? = nil, _ write: @escaping @Sendable (LogEntry) -> Void
    ) {
        self.init(detail, maxDetailInRelease, LogSink(write), level, maxBodyBytes, time)
    }

    /// - Parameter isDebugBuild: the kind of build to log as; tests pass either.
    init(
        _ detail: LogDetail, _ maxDetailInRelease: LogDetail, _ sink: LogSink?, _ level: LogEntry.Level, _ maxBodyBytes: Int,
        _ time: (any TimeSource)?, isDebugBuild: Bool = LoggingInterceptor.isDebugBuild
    ) {
        self.detail = detail.permitted(upTo: maxDetailInRelease, isDebugBuild: isDebugBuild)
        self.sink = sink
        self.level = level
        self.maxBodyBytes = min(max(0, maxBodyBytes), 1 << 20)
        self.time = time
    }

    /// Whether the interceptor waits only for `next`: it does unless it logs bodies, which it may have to read from a file.
    public var endsByDeadline: Bool { detail != .bodies }

    /// Logs the request, sends it, and logs the response or the failure.
    public func intercept(_ request: HTTPRequest, next: Next) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        guard let sink else { return try await next(request) }
        let time = time ?? request.context.time
        let
            number = numbers.withLock {
                $0 += 1; return $0
            }, text = LogText(detail: detail, maxBodyBytes: maxBodyBytes), level = level
        let log: @Sendable (LogEntry.Level, LogEntry.Event, () -> String) -> Void = { importance, event, message in
            guard importance >= level else { return }
            sink(LogEntry(level: importance, event: event, number: number, request: request, call: nil, message: "#\(number) " + message()))
        }
        let sent = level == .debug ? await start(of: request.body, request.headers, isStreamLeftAlone: true) : nil
        log(.debug, .request) { text.request(request, body: sent) }
        let began = time.instant
        do throws(HTTPError) {
            let response = try await next(request)
            let passed = began.duration(to: time.instant)
            let importance = LogEntry.Level(response.status)
            let received =
                importance >= level
                ? await start(of: response.body, response.headers, isStreamLeftAlone: request.context.delivery == .streamed) : nil
            log(importance, .response(response.status, passed)) {
                text.response(response, to: request, after: passed, body: received)
            }
            guard detail == .bodies, level == .debug, maxBodyBytes > 0, request.context.delivery == .streamed else { return response }
            return response.map { body in
                body.telling(upTo: LogText.reach(maxBodyBytes, response.headers), answering: response.metadata.request ?? request) {
                    start in
                    log(.debug, .streamedBody) { text.streamed(start, response.headers, of: request) }
                }
            }
        } catch {
            let passed = began.duration(to: time.instant)
            log(error == .cancelled ? .info : .error, .failure(error, passed)) { text.failure(error, to: request, after: passed) }
            throw error
        }
    }

    /// Returns the start of a body that is available, or that the caller reads only after its end. Returns nil if it is not shown.
    private func start(of body: HTTPBody?, _ headers: HTTPFields, isStreamLeftAlone: Bool) async -> Data? {
        guard detail == .bodies, maxBodyBytes > 0, let body else { return nil }
        if isStreamLeftAlone, body.isStream { return nil }
        // An error is thrown again to the reader of the body.
        return try? await body.peek(upTo: LogText.reach(maxBodyBytes, headers))
    }

    /// The destination of an interceptor that was created without one.
    static func sinkOfNobody(isDebugBuild: Bool) -> LogSink? { isDebugBuild ? .platform : nil }

    static var isDebugBuild: Bool {
        #if DEBUG
        true
        #else
        false
        #endif
    }
}

extension HTTPBody {
    /// Returns a body that calls `tell` with its start when that much or all of it was read. A body in memory is returned unchanged.
    fileprivate func telling(upTo limit: Int, answering request: HTTPRequest, _ tell: @escaping @Sendable (Data) -> Void) -> HTTPBody {
        guard case .stream(let stream) = storage, let reader = StreamStartReader(stream, limit: limit, tell: tell) else {
            return self
        }
        return HTTPBody(reader: reader, length: length).answering(request)
    }
}
