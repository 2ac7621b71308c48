public import MartletEssentials

/// Passes exchanges through to a transport and writes them to a HAR 1.2 file, secrets hidden: a cassette for ``ReplayTransport``.
///
/// ```swift
/// let recorder = RecordingTransport(wrapping: CurlTransport(), to: file)
/// let client = HTTPClient(baseURL: base, transport: recorder)
/// …
/// try await recorder.save()
/// ```
///
/// Each exchange is an entry, in the order in which they began: each hop of a redirect, each retry, and those that failed. What a caller
/// gets is what the transport gave; a streamed body flows only as fast as it is read, and its entry is made when it ends, or when its
/// reader stops, which the entry then says. The file is made anew: what was in it is gone with the first writing, which replaces it in
/// one step. Folders that are missing are made. Browsers' tools and proxies can open it.
///
/// See ``CassetteRedaction`` for what is hidden and what can't be, and ``RecordingOptions`` for when the file is written.
public final class RecordingTransport: Transport {
    private let transport: any Transport
    private let options: RecordingOptions
    private let time: any TimeSource
    private let log: RecordingLog

    /// Records what goes through `transport`.
    ///
    /// - Parameters:
    ///   - transport: what sends the requests.
    ///   - file: where the recording is written.
    ///   - options: what is hidden, when the file is written, and how large bodies may be.
    ///   - time: what the entries' dates and durations are taken from.
    public init(
        wrapping transport: any Transport, to file: URL, options: RecordingOptions = .init(), time: any TimeSource = .system
    ) {
        self.transport = transport
        self.options = options
        self.time = time
        log = RecordingLog(file: file, writing: HARWriting(redaction: options.redaction, maxBodyBytes: options.maxBodyBytes))
    }

    /// That of the transport within.
    public var endsByDeadline: Bool { transport.endsByDeadline }

    /// The calls of the wrapped transport.
    public var calls: CallGroup? { transport.calls }

    /// How many exchanges have ended.
    public var count: Int { log.count }

    /// Writes all exchanges that have ended: to a file beside, which then takes the other's place.
    ///
    /// An exchange that is still under way, or whose stream is still being read, is not in it; save again when it has ended. May be
    /// called as often as one likes, and while requests are sent.
    public func save() async throws(HARError) { try await log.save() }

    /// Sends the request through the transport and keeps what comes of it.
    ///
    /// With ``RecordingOptions/Flush/everyExchange``, a file that can't be written is an `.invalidRequest`.
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
            if capture.isStopped, options.flush == .everyExchange { Task { try? await log.save() } }
        } atEnd: { [self] () async throws(HTTPError) in
            try await flush()
        }
        var recorded = response
        recorded.body = HTTPBody(reader: reader, length: response.body.length)
        return recorded
    }

    private func captured(_ body: HTTPBody, by capture: BodyCapture) async throws(HTTPError) -> HTTPBody {
        if body.isReplayable {
            // A file may be gone or changed when the recording is written.
            if let length = body.length, length > Int64(options.maxBodyBytes) {
                capture.skip(Int(length))
            } else {
                capture.append(try await body.collect())
            }
            capture.end(isStopped: false)
            return body
        }
        let reader = RecordingReader(try body.reader(), capture, isRequest: true)
        return HTTPBody(reader: reader, length: body.length)
    }

    private func flush() async throws(HTTPError) {
        guard options.flush == .everyExchange else { return }
        do { try await log.save() } catch { throw .invalidRequest(Explanation("\(error)")) }
    }
}
