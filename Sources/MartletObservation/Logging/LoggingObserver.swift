public import MartletClient
internal import MartletEssentials
internal import MartletSystem

/// An observer that logs each call with its outcome and secrets hidden, by default in full only in debug builds.
///
/// ```swift
/// let client = HTTPClient(baseURL: url, observers: [LoggingObserver()])  // the basics, in debug builds only
/// LoggingObserver(detail: .bodies)                                       // bodies in debug builds, an outline in release builds
/// LoggingObserver(detail: .headers, maxDetailInRelease: .headers, to: .standardError)
/// LoggingObserver(detail: .bodies) { print($0.message) }
/// LoggingObserver(detail: .headers, logsAttempts: true)                  // also each request as the transport gets it
/// ```
///
/// A call has two entries: its first request, and its outcome with the attempts, waits and decisions in between, unless there was nothing
/// but one attempt. Each error that the caller gets is logged, also that of a response that could not be decoded. A stream has an entry for
/// the head of each response, with `.bodies` one for the start of the body, and one for its end. With `logsAttempts`, each attempt has
/// entries too: its request with what interceptors have added, and the head of its response or why there is none. Each message of a
/// WebSocket has an entry with its direction and length, unless the detail is `.outline`, and with `.bodies` with its content.
///
/// A release build logs only `LogDetail.outline`, whatever `detail` is, so that a published app does not write bodies or personal data to
/// the system's log. `maxDetailInRelease` permits more. A release build is one without the `DEBUG` condition: SwiftPM and Xcode compile
/// packages in the app's build configuration.
///
/// Credentials in fields, and values with the name of a secret in URLs, JSON and forms, are always hidden. Plain text, event streams and
/// JSON lines are shown with apparent secrets hidden. Other bodies are logged as type and length, and so is JSON that is invalid or longer
/// than 256 KB. Secrets are found by name, which is not a guarantee: mark other fields with `HTTPFields.markAsCredential(_:)`.
///
/// The body of a request is logged if it is in memory, and that of a response if it came from the network. A server's text cannot imitate
/// an entry: control characters are made visible, and further lines are indented.
public final class LoggingObserver: CallObserver {
    private let text: LogText
    private let level: LogEntry.Level
    private let logsAttempts: Bool
    /// The destination; nil if nothing is written.
    let sink: LogSink?
    /// The number of calls and exchanges so far.
    private let count = Locked(0)

    /// Creates an observer that logs basic details to the platform's log in debug builds, and nothing in release builds.
    public convenience init() {
        self.init(.basic, .basic, LoggingObserver.defaultSink(isDebugBuild: LoggingObserver.isDebugBuild), .debug, 0)
    }

    /// Creates an observer that logs `detail` in debug builds, and at most `maxDetailInRelease` in release builds.
    ///
    /// - Parameters:
    ///   - detail: How much is logged about each call.
    ///   - maxDetailInRelease: The maximum detail in a release build. More than the default may write personal data to the log. Default:
    ///     `.outline`.
    ///   - sink: The destination. Default: the system's log on Apple platforms, standard error on Linux.
    ///   - level: The lowest level that is written. Default: `.debug`, all entries.
    ///   - maxBodyBytes: The maximum number of bytes of each body that `.bodies` logs, at most 1 MiB. Default: 4,096.
    ///   - logsAttempts: Whether each attempt has entries of its own. Default: false.
    public convenience init(
        detail: LogDetail, maxDetailInRelease: LogDetail = .outline, to sink: LogSink = .platform, from level: LogEntry.Level = .debug,
        maxBodyBytes: Int = 4_096, logsAttempts: Bool = false
    ) {
        self.init(detail, maxDetailInRelease, sink, level, maxBodyBytes, logsAttempts)
    }

    /// Creates an observer that logs basic details to a sink in debug builds, and an outline in release builds.
    public convenience init(to sink: LogSink) { self.init(detail: .basic, to: sink) }

    /// Creates an observer that passes each entry to a closure. Concurrent calls run the closure on any task.
    ///
    /// Release builds limit the text of the entries as for other sinks. ``LogEntry/request`` and ``LogEntry/event`` are complete in every
    /// build.
    ///
    /// - Parameters:
    ///   - detail: How much is logged about each call. Default: `.basic`.
    ///   - maxDetailInRelease: The maximum detail in a release build. Default: `.outline`.
    ///   - level: The lowest level that is passed on. Default: `.debug`, all entries.
    ///   - maxBodyBytes: The maximum number of bytes of each body that `.bodies` logs, at most 1 MiB. Default: 4,096.
    ///   - logsAttempts: Whether each attempt has entries of its own. Default: false.
    ///   - write: Receives each entry.
    public convenience init(
        detail: LogDetail = .basic, maxDetailInRelease: LogDetail = .outline, from level: LogEntry.Level = .debug,
        maxBodyBytes: Int = 4_096, logsAttempts: Bool = false, _ write: @escaping @Sendable (LogEntry) -> Void
    ) {
        self.init(detail, maxDetailInRelease, LogSink(write), level, maxBodyBytes, logsAttempts)
    }

    /// - Parameter isDebugBuild: The kind of build to log as; tests pass either.
    init(
        _ detail: LogDetail, _ maxDetailInRelease: LogDetail, _ sink: LogSink?, _ level: LogEntry.Level, _ maxBodyBytes: Int,
        _ logsAttempts: Bool = false, isDebugBuild: Bool = LoggingObserver.isDebugBuild
    ) {
        text = LogText(
            detail: detail.permitted(upTo: maxDetailInRelease, isDebugBuild: isDebugBuild), maxBodyBytes: min(max(0, maxBodyBytes), 1 << 20)
        )
        self.sink = sink
        self.level = level
        self.logsAttempts = logsAttempts
    }

    /// The destination of an observer or interceptor that was created without one.
    static func defaultSink(isDebugBuild: Bool) -> LogSink? { isDebugBuild ? .platform : nil }

    static var isDebugBuild: Bool {
        #if DEBUG
        true
        #else
        false
        #endif
    }

    /// Logs what an event says about a call.
    public func observe(_ event: CallEvent, of call: CallInfo) {
        guard sink != nil else { return }
        switch event {
        case .started(let request): started(request, call)
        case .attemptStarted(let number, let request) where logsAttempts: attemptStarted(number, request, call)
        case .step(let step) where logsAttempts: stepEnded(step, call)
        case .headReceived(let attempt, let head) where saysWhatArrives: received(head, of: attempt, call)
        case .bodyReceived(let attempt, let bytes) where saysWhatArrives: received(bytes, of: attempt, call)
        case .message(let message) where text.detail > .outline: exchanged(message, call)
        case .ended(let outcome, let time): ended(outcome, after: time, call)
        default: break
        }
    }

    /// Whether an entry may say what arrived: a body, or its length.
    private var saysWhatArrives: Bool { text.detail == .bodies || (level <= .info && sink?.accepts(.info) == true) }

    private func logged(_ call: CallInfo) -> LoggedCall? { call.state(of: self) as? LoggedCall }

    private func nextNumber() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }

    private func started(_ request: HTTPRequest?, _ call: CallInfo) {
        guard let sink = sink?.forCall else { return }
        let logged = LoggedCall(nextNumber(), request, sink)
        call.keep(logged, of: self)
        guard let request else { return }
        log(.debug, .request, logged, call) {
            text.request(request, of: call, body: start(of: request.body, request.headers))
        }
    }

    private func attemptStarted(_ number: Int, _ request: HTTPRequest, _ call: CallInfo) {
        guard let logged = logged(call) else { return }
        log(.debug, .attempt(number), logged.number, request, call, to: logged.sink) {
            text.attempt(number, request, body: start(of: request.body, request.headers))
        }
    }

    /// Logs an attempt without a response.
    private func stepEnded(_ step: CallTrace.Step, _ call: CallInfo) {
        guard case .attempt(let attempt) = step.kind, let outcome = attempt.outcome, let logged = logged(call) else {
            return
        }
        if case .status = outcome { return }
        log(.debug, .attempt(attempt.number), logged.number, attempt.request, call, to: logged.sink) {
            text.failure(of: attempt, outcome, after: attempt.duration ?? .zero)
        }
    }

    private func received(_ head: HTTPResponse<Void>, of attempt: Int, _ call: CallInfo) {
        guard let logged = logged(call) else { return }
        logged.received(head.headers, of: attempt, reach: reach(head.headers))
        guard call.isStreamed || logsAttempts else { return }
        let time = logged.elapsed
        log(.debug, .head(head.status, time), logged, call) {
            logsAttempts
                ? text.head(head, of: attempt, after: time) : text.head(head, to: logged.request, of: call, after: time)
        }
    }

    private func received(_ bytes: Data, of attempt: Int, _ call: CallInfo) {
        guard let logged = logged(call) else { return }
        if let body = logged.received(bytes, of: attempt, isStreamed: call.isStreamed) { log(body, logged, call) }
    }

    private func exchanged(_ message: CallMessage, _ call: CallInfo) {
        guard let logged = logged(call) else { return }
        log(.debug, .message(message), logged, call) { text.message(message) }
    }

    private func ended(_ outcome: CallOutcome, after time: Duration, _ call: CallInfo) {
        guard let logged = call.endState(of: self) as? LoggedCall else { return }
        // The entry of a rejected response contains its body.
        if call.isStreamed, outcome.rejection == nil, let body = logged.unloggedBody { log(body, logged, call) }
        switch outcome {
        case .success(let head?):
            log(LogEntry.Level(head.status), .response(head.status, time), logged, call) {
                let body = logged.body(of: head)
                return text.end(
                    head, to: logged.request, of: call, after: time, length: body?.count, body: call.isStreamed ? nil : body?.start)
            }
        case .success(nil):
            log(.info, .end(time), logged, call) { text.end(nil, to: logged.request, of: call, after: time, length: nil, body: nil) }
        case .failure(.statusCode(let response)):
            log(LogEntry.Level(response.status), .response(response.status, time), logged, call) {
                text.end(
                    response.map { _ in }, to: logged.request, of: call, after: time, length: response.body.count, body: response.body,
                    rejection: .statusCode(response))
            }
        case .failure(let error):
            log(LogEntry.Level(error), .failure(error, time), logged, call) {
                text.failure(error, to: logged.request, of: call, after: time, in: error.aboveHTTP?.head) { logged.body(of: $0) }
            }
        }
    }

    private func log(_ body: LoggedBody, _ logged: LoggedCall, _ call: CallInfo) {
        log(.debug, .streamedBody, logged, call) { text.streamed(body.start, body.headers, of: logged.request, in: call) }
    }

    private func log(
        _ importance: LogEntry.Level, _ event: LogEntry.Event, _ logged: LoggedCall, _ call: CallInfo, message: () -> String
    ) {
        log(importance, event, logged.number, logged.request, call, to: logged.sink, message: message)
    }

    private func log(
        _ importance: LogEntry.Level, _ event: LogEntry.Event, _ number: Int, _ request: HTTPRequest?, _ call: CallInfo?,
        to sink: LogSink, message: () -> String
    ) {
        guard importance >= level, sink.accepts(importance) else { return }
        sink(
            LogEntry(
                level: importance, event: event, number: number, request: request, call: call,
                message: "#" + String(number) + " " + message()))
    }

    /// Returns the start of a body in memory, or nil if it is not shown.
    private func start(of body: HTTPBody?, _ headers: HTTPFields) -> Data? {
        let reach = reach(headers)
        return reach == 0 ? nil : body?.buffered?.prefix(reach)
    }

    /// Returns how much of a body is kept for the log.
    private func reach(_ headers: HTTPFields) -> Int {
        text.detail == .bodies && text.maxBodyBytes > 0 ? LogText.reach(text.maxBodyBytes, headers) : 0
    }
}

extension LoggingObserver {
    /// Logs a request and its response or failure at one place of a chain of interceptors.
    func exchange(
        _ request: HTTPRequest, time: any TimeSource, _ send: () async throws(HTTPError) -> HTTPResponse<HTTPBody>
    ) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        guard let sink = sink?.forCall else { return try await send() }
        let number = nextNumber()
        log(.debug, .request, number, request, nil, to: sink) { text.request(request, body: start(of: request.body, request.headers)) }
        let began = time.instant
        do throws(HTTPError) {
            let response = try await send()
            let passed = began.duration(to: time.instant)
            log(LogEntry.Level(response.status), .response(response.status, passed), number, request, nil, to: sink) {
                text.end(
                    response.map { _ in }, to: request, of: nil, after: passed, length: response.body.length.map { Int($0) },
                    body: start(of: response.body, response.headers))
            }
            return response
        } catch {
            let passed = began.duration(to: time.instant)
            log(LogEntry.Level(error), .failure(error, passed), number, request, nil, to: sink) {
                text.failure(error, to: request, after: passed)
            }
            throw error
        }
    }
}

extension CallOutcome {
    /// The response whose status was rejected, or nil.
    fileprivate var rejection: HTTPResponse<Data>? { if case .failure(.statusCode(let response)) = self { response } else { nil } }
}
