public import MartletEssentials
internal import MartletJSON
internal import MartletSystem

/// Keeps the last calls of a client as a HAR 1.2 recording, which browsers, the inspector and cassettes open.
///
/// ```swift
/// let recording = HARObserver()
/// let client = HTTPClient(baseURL: url, transport: transport, observers: [recording])
/// // …
/// try recording.write(to: URL(filePath: "calls.har"))
/// ```
///
/// An entry is an attempt. `_call`, `_attempt` and other members that begin with `_` say which call it belongs to; `log._calls` has the
/// calls with their outcomes. The messages of a WebSocket are in the entry of its handshake (`_webSocketMessages`), as browsers write them.
///
/// Memory is bounded: beyond `maxCalls` or `maxBytes`, the oldest calls are removed, those that have ended first. Secrets
/// stay in memory, and are masked in what ``har()`` returns by the rules of cassettes: see `CassetteRedaction`.
public final class HARObserver: CallObserver {
    private let log: CallLog
    private let redaction: CassetteRedaction
    private let detail: LogDetail

    /// Creates an empty recording.
    ///
    /// - Parameters:
    ///   - maxCalls: The maximum number of calls. Default: 500.
    ///   - maxBytes: The maximum number of bytes that the calls take in memory, approximately. Default: 20 MB (20,000,000).
    ///   - maxBodyBytes: The maximum number of bytes that are kept of each body and each message of a WebSocket; the rest is
    ///     left out. Default: 1 MB (1,000,000).
    ///   - redaction: The rules by which secrets are masked. Default: known secrets and values with secret names.
    ///   - detail: How much the texts of errors say: by default their kind and the path of a value that could not be decoded, with
    ///     `LogDetail.basic` or more also their explanations, and the notes of interceptors. URLs, fields and bodies are in every
    ///     recording.
    public init(
        maxCalls: Int = 500, maxBytes: Int = 20_000_000, maxBodyBytes: Int = 1_000_000, redaction: CassetteRedaction = .standard,
        detail: LogDetail = .outline
    ) {
        self.redaction = redaction
        self.detail = detail
        log = CallLog(limits: .init(calls: maxCalls, bytes: maxBytes, bodyBytes: maxBodyBytes))
    }

    /// Records an event of a call.
    public func observe(_ event: CallEvent, of call: CallInfo) { log.add(event, of: call) }

    /// The number of calls in the recording.
    public var callCount: Int { log.snapshot.calls.count }

    /// Removes the calls that have ended.
    public func clear() { log.clear() }

    /// Returns the recording as HAR 1.2, including calls that are still running.
    public func har() -> Data { log.har(redaction: redaction, detail: detail) }

    /// Writes the recording to a file, which is replaced.
    ///
    /// - Throws: Foundation's error if the file can't be written.
    public func write(to file: URL) throws { try har().write(to: file, options: .atomic) }
}

extension CallLog {
    /// The calls as HAR 1.2.
    ///
    /// - Parameter detail: How much the texts of errors say. Default: everything except secrets.
    package func har(redaction: CassetteRedaction, detail: LogDetail = .bodies) -> Data {
        let writing = HARWriting(redaction: redaction, maxBodyBytes: limits.bodyBytes)
        let members = CallMembers(redaction: redaction, detail: detail)
        let calls = snapshot.calls
        let entries = calls.flatMap { call in call.attempts.map { $0.entry(of: call, writing, detail) } }
        return HARWriting.file(entries, calls: calls.map { members.recorded($0) })
    }
}
