public import MartletEssentials

/// A transport that passes exchanges to another one and writes them to a HAR 1.2 file with secrets masked, for ``ReplayTransport``.
///
/// ```swift
/// let recorder = RecordingTransport(wrapping: CurlTransport(), to: file)
/// let client = HTTPClient(baseURL: base, transport: recorder)
/// …
/// try await recorder.save()
/// ```
///
/// Each exchange becomes an entry, in the order of their starts: each hop of a redirect, each retry and each failure. Callers receive the
/// responses unchanged. A streamed body is transferred only as fast as it is read; its entry is created when it ends or its reader stops,
/// which the entry then notes. The first write replaces an existing file atomically. Missing folders are created. Browser tools and proxies
/// can open the file.
///
/// See `CassetteRedaction` for the limits of masking, and ``RecordingOptions`` for the time of writing.
public final class RecordingTransport: Transport {
    private let transport: any Transport
    private let options: RecordingOptions
    private let time: any TimeSource
    private let log: RecordingLog

    /// Creates a transport that records the exchanges of `transport`.
    ///
    /// - Parameters:
    ///   - transport: The transport that sends the requests.
    ///   - file: The file to write.
    ///   - options: What to mask, when to write the file, and the maximum size of bodies.
    ///   - time: The clock for the dates and durations of the entries.
    public init(
        wrapping transport: any Transport, to file: URL, options: RecordingOptions = .init(), time: any TimeSource = .system
    ) {
        self.transport = transport
        self.options = options
        self.time = time
        log = RecordingLog(file: file, writing: HARWriting(redaction: options.redaction, maxBodyBytes: options.maxBodyBytes))
    }

    /// Whether the wrapped transport ends an exchange at its deadline.
    public var endsByDeadline: Bool { transport.endsByDeadline }

    /// Whether the wrapped transport opens WebSockets. The recording has their handshakes and not their messages.
    public var opensWebSockets: Bool { transport.opensWebSockets }

    /// The group of the wrapped transport's running calls, or nil if it has none.
    public var calls: CallGroup? { transport.calls }

    /// The number of exchanges that have ended and are part of the recording.
    public var count: Int { log.count }

    /// Writes all exchanges that have ended to the file, which it replaces atomically.
    ///
    /// Exchanges that are running or whose streams are still being read are not included; save again after they have ended. It can be
    /// called repeatedly and while requests are sent.
    public func save() async throws(HARError) { try await log.save() }

    /// Sends the request through the wrapped transport and records the exchange.
    ///
    /// With ``RecordingOptions/savesEachExchange``, a file that can't be written throws `.invalidRequest`.
    public func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        var sent = request
        let capture = BodyCapture(limit: options.maxBodyBytes)
        if let body = request.body { sent.body = try await captured(body, by: capture) }
        let exchange = OpenExchange(request: request, body: capture, time: time, slot: log.begin())
        let response: HTTPResponse<HTTPBody>
        do { response = try await transport.send(sent) } catch {
            log.end(exchange.slot, exchange.ended(by: error))
            try? await flush()
            throw error
        }
        guard let body = response.body.buffered else { return try streamed(response, exchange) }
        log.end(exchange.slot, exchange.ended(response, body.count > options.maxBodyBytes ? .missing(size: body.count) : .bytes(body)))
        try await flush()
        return response
    }

    private func streamed(_ response: HTTPResponse<HTTPBody>, _ exchange: OpenExchange) throws(HTTPError) -> HTTPResponse<HTTPBody> {
        let head = time.instant
        let reader = RecordingReader(try response.body.reader(), BodyCapture(limit: options.maxBodyBytes)) {
            [log, options] capture, failure in
            log.end(exchange.slot, exchange.ended(response, capture.body, headAt: head, failure: failure))
            if capture.isStopped, options.savesEachExchange { Task { try? await log.save() } }
        } atEnd: { [self] () async throws(HTTPError) in
            try await flush()
        }
        var recorded = response
        recorded.body = HTTPBody(reader: reader, length: response.body.length)
        return recorded
    }

    private func captured(_ body: HTTPBody, by capture: BodyCapture) async throws(HTTPError) -> HTTPBody {
        if body.isReplayable {
            // Not read here, because a file may be missing or changed when the recording is written.
            if let length = body.length, length > Int64(options.maxBodyBytes) {
                capture.skip(Int(length))
            } else {
                capture.append(try await body.collect())
            }
            capture.end(isStopped: false)
            return body
        }
        let reader = RecordingReader(try body.reader(), capture, isRequest: true)
        return HTTPBody(reader: reader, length: body.length).withTrailers(of: body)
    }

    private func flush() async throws(HTTPError) {
        guard options.savesEachExchange else { return }
        do { try await log.save() } catch { throw .invalidRequest(Explanation("\(error)")) }
    }
}

/// The options of a ``RecordingTransport``: masking, the times of writing, and the maximum size of bodies.
public struct RecordingOptions: Sendable {
    /// The rules by which secrets are masked. Default: known secrets and values with secret names.
    public var redaction: CassetteRedaction
    /// Whether the file is also written after each exchange, before its caller receives the response or the end of a streamed one, so that
    /// a later crash does not lose the exchange. Writes the whole file each time. Default: false, only ``RecordingTransport/save()``
    /// writes.
    public var savesEachExchange: Bool
    /// The maximum size in bytes of a request or response body; a larger one is left out of the recording. Default: 10 MB (10,000,000). The
    /// entry of a larger body notes that it was left out, and replaying it fails.
    public var maxBodyBytes: Int

    /// Creates options. Each parameter has the default of its property.
    public init(redacting redaction: CassetteRedaction = .standard, savesEachExchange: Bool = false, maxBodyBytes: Int = 10_000_000) {
        self.redaction = redaction
        self.savesEachExchange = savesEachExchange
        self.maxBodyBytes = max(0, maxBodyBytes)
    }
}
