internal import MartletEssentials

/// Logs requests and responses, with secrets hidden.
///
/// ```swift
/// LoggingInterceptor()                                      // the basics, to the platform's log, in debug builds only
/// LoggingInterceptor(detail: .bodies)                       // bodies in debug builds, an outline in release builds
/// LoggingInterceptor(detail: .headers, maxDetailInRelease: .headers, to: .standardError)
/// LoggingInterceptor(detail: .bodies) { lines.append($0.message) }
/// ```
///
/// A release build logs only ``LogDetail/outline``, whatever `detail` is, so that an app shipped with the settings of its development writes
/// neither bodies nor personal data to the system's log. `maxDetailInRelease` permits more. A release build is one without the `DEBUG`
/// condition: SwiftPM and Xcode compile packages in the app's build configuration.
///
/// Credentials in fields, and values with the name of a secret in URLs, JSON and forms, are always hidden. Plain text, event streams and
/// lines of JSON are shown too, with what looks like a secret in them hidden. Other bodies are logged as type and length, and so is
/// JSON that is invalid or longer than 256 KB. Names are a net, not a wall: mark other fields with ``HTTPFields/markAsCredential(_:)``.
///
/// Logging a body does not consume it. The start of a body in memory or in a file is logged with its message. A response that is streamed
/// is logged in a later entry, once enough of it was read: JSON, and a body without a type, up to 256 KB, another body up to the limit.
///
/// An entry can't be forged by what a server says: control characters are made visible, and further lines are indented.
///
/// Place it first (outermost), to see what the caller sees, or last, to see every attempt and what other interceptors have added.
public struct LoggingInterceptor: Interceptor, CredentialAddingInterceptor {
    private let detail: LogDetail
    private let level: LogEntry.Level
    private let maxBodyBytes: Int
    /// Nil when nothing is written.
    let sink: LogSink?
    private let time: (any TimeSource)?
    private let numbers = AttemptCounter()

    /// Logs the basics to the platform's log in debug builds, and nothing in release builds.
    public init() {
        self.init(.basic, .basic, LoggingInterceptor.sinkOfNobody(isDebugBuild: LoggingInterceptor.isDebugBuild), .debug, 0, nil)
    }

    /// Logs to a sink: in debug builds as much as `detail` says, in release builds at most `maxDetailInRelease`.
    ///
    /// - Parameters:
    ///   - detail: how much is logged about each request.
    ///   - maxDetailInRelease: the most that a release build logs. More than the default may write personal data to the log. Default:
    ///     `.outline`.
    ///   - sink: where to. Default: the system's log on Apple's platforms, standard error elsewhere.
    ///   - level: the least important entries that are written. Default: all.
    ///   - maxBodyBytes: the maximum number of bytes of each body that `.bodies` logs. Default: 4,096.
    ///   - time: the clock that measures durations. Default: nil, the client's.
    public init(
        detail: LogDetail, maxDetailInRelease: LogDetail = .outline, to sink: LogSink = .platform, from level: LogEntry.Level = .debug,
        maxBodyBytes: Int = 4_096, time: (any TimeSource)? = nil
    ) {
        self.init(detail, maxDetailInRelease, sink, level, maxBodyBytes, time)
    }

    /// Logs the basics to a sink in debug builds, and an outline in release builds.
    public init(to sink: LogSink) { self.init(detail: .basic, to: sink) }

    /// Passes each entry to a closure, which is called from any task, for many calls at once.
    ///
    /// Release builds limit the text of the entries as for other sinks. ``LogEntry/request`` and ``LogEntry/event`` are complete in every
    /// build.
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

    /// Sends the request on and writes about it, before and after.
    public func intercept(_ request: HTTPRequest, next: Next) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        guard let sink else { return try await next(request) }
        let time = time ?? request.context.time
        let number = numbers.increment(), text = LogText(detail: detail, maxBodyBytes: maxBodyBytes), level = level
        let log: @Sendable (LogEntry.Level, LogEntry.Event, () -> String) -> Void = { importance, event, message in
            guard importance >= level else { return }
            sink(LogEntry(level: importance, event: event, number: number, request: request, message: "#\(number) " + message()))
        }
        let sent = level == .debug ? await start(of: request.body, request.headers, isStreamLeftAlone: true) : nil
        log(.debug, .request) { text.request(request, body: sent) }
        let began = time.instant
        do throws(HTTPError) {
            let response = try await next(request)
            let passed = began.duration(to: time.instant)
            let importance = LoggingInterceptor.level(of: response.status)
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

    /// The start of a body that is there without waiting, or that nobody wants before it has ended; nil when it is not to be shown.
    private func start(of body: HTTPBody?, _ headers: HTTPFields, isStreamLeftAlone: Bool) async -> Data? {
        guard detail == .bodies, maxBodyBytes > 0, let body else { return nil }
        if isStreamLeftAlone, body.isStream { return nil }
        // An error is the reader's to meet again.
        return try? await body.peek(upTo: LogText.reach(maxBodyBytes, headers))
    }

    private static func level(of status: HTTPStatus) -> LogEntry.Level {
        switch status.kind {
        case .clientError: .warning
        case .serverError: .error
        default: .info
        }
    }

    /// Where entries go when nobody has said where.
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
    /// The body, which tells how it began when so much of it was read, or all; one that is no stream as it is.
    fileprivate func telling(upTo limit: Int, answering request: HTTPRequest, _ tell: @escaping @Sendable (Data) -> Void) -> HTTPBody {
        guard case .stream(let stream) = storage, let reader = StreamStartReader(stream, limit: limit, tell: tell) else {
            return self
        }
        return HTTPBody(reader: reader, length: length).answering(request)
    }
}
