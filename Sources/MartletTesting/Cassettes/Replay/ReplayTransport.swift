public import MartletEssentials
internal import MartletSystem

/// A transport that returns recorded responses without a network, from a HAR file of ``RecordingTransport``, a browser or a proxy.
///
/// ```swift
/// let replay = try ReplayTransport(contentsOf: file)
/// let client = HTTPClient(baseURL: base, transport: replay)
/// …
/// try replay.verify()
/// ```
///
/// The client works as with a network: interceptors, redirects, cookies, validation, decoding. The replay keeps the contract of
/// `Transport`: deliveries, limits, cancellation. A request that matches no entry fails with `.invalidRequest`, whose message names the
/// nearest recorded request and the differences. An entry without a response fails with an error of the recorded kind.
///
/// Bodies are returned decoded, as they are recorded, without the fields that describe their encoding on the wire. An entry whose body is
/// not in the recording fails with `.invalidRequest`. An entry whose reader stopped early returns what was read and then fails with
/// `.invalidResponse`.
public final class ReplayTransport: Transport {
    /// The group of the running calls of all clients over this transport.
    public let calls: CallGroup? = CallGroup()

    private let cassette: Locked<CassetteReel>
    private let recorder = Recorder<HTTPRequest>()
    private let rule: MatchingRule
    private let keepsTiming: Bool
    private let time: any TimeSource

    /// Creates a transport that replays a HAR file, which is read and checked completely.
    ///
    /// - Parameters:
    ///   - file: The recording.
    ///   - rule: The rule that matches requests to recorded entries.
    ///   - keepsTiming: Whether responses take as long as recorded, first up to the head and then for the body. Default: false, they are
    ///     returned immediately.
    ///   - time: The time source to wait on.
    ///   - maxBytes: The maximum size of the file in bytes. Default: 100,000,000.
    /// - Throws: `HARError`, which says what is wrong and where.
    public convenience init(
        contentsOf file: URL, matching rule: MatchingRule = .strict, keepsTiming: Bool = false, time: any TimeSource = .system,
        maxBytes: Int = 100_000_000
    ) throws(HARError) {
        self.init(try HARReading.exchanges(at: file, limit: maxBytes), matching: rule, keepsTiming: keepsTiming, time: time)
    }

    /// Creates a transport that replays the bytes of a HAR. See ``init(contentsOf:matching:keepsTiming:time:maxBytes:)``.
    public convenience init(
        har: Data, matching rule: MatchingRule = .strict, keepsTiming: Bool = false, time: any TimeSource = .system,
        maxBytes: Int = 100_000_000
    ) throws(HARError) {
        self.init(try HARReading.exchanges(in: har, limit: maxBytes), matching: rule, keepsTiming: keepsTiming, time: time)
    }

    private init(_ exchanges: [RecordedExchange], matching rule: MatchingRule, keepsTiming: Bool, time: any TimeSource) {
        cassette = Locked(CassetteReel(exchanges: exchanges, rule: rule))
        self.rule = rule
        self.keepsTiming = keepsTiming
        self.time = time
    }

    /// The requests that were sent so far, in order, each with its body in memory (`request.body?.buffered`).
    public var requests: [HTTPRequest] { recorder.values }

    /// The number of entries in the recording.
    public var count: Int { cassette.withLock { $0.count } }

    /// Throws if an entry of the recording was never replayed, and names such entries.
    public func verify() throws(UnusedStubsError) { try UnusedStubsError.check(cassette.withLock { $0.unused }) }

    /// Returns the recorded response of the entry that matches the request, or throws if none does.
    public func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        guard !Task.isCancelled else { throw .cancelled }
        let sent: HTTPRequest
        do { sent = try await request.collected() } catch {
            recorder.append(request)
            throw error
        }
        recorder.append(sent)
        let snapshot = sent.snapshot
        let exchange = try cassette.withLock { $0.next(for: snapshot) }.get()
        let reply = try ReplayedReply.of(exchange, isTimed: keepsTiming)
        var response = try await MockExchange(reply: reply, request: request, time: time).response()
        response.metadata.version = exchange.answer?.version
        response.metadata.wasContentCoded = exchange.answer?.wasContentCoded ?? false
        response.metadata.remoteAddress = exchange.remoteAddress
        return response
    }
}
