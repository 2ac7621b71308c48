public import MartletEssentials
internal import MartletSystem

/// A transport without a network that answers from a recording: a HAR file by ``RecordingTransport``, a browser or a proxy.
///
/// ```swift
/// let replay = try ReplayTransport(contentsOf: file)
/// let client = HTTPClient(baseURL: base, transport: replay)
/// …
/// try replay.verify()
/// ```
///
/// Everything of the client but the network runs: interceptors, redirects, cookies, validation, decoding. It keeps the contract of
/// ``Transport``: deliveries, limits, cancellation. A request that fits no entry fails with `.invalidRequest`, whose words say which
/// recorded request is nearest and how it differs. An entry without an answer fails again with an error of the same kind.
///
/// Contents are given as the recording has them, decoded: what its fields say of codings on the wire is left out. An entry whose body is
/// not in the recording fails with `.invalidRequest`, and one whose reader stopped early gives what it read and then `.invalidResponse`.
public final class ReplayTransport: Transport {
    /// How long a replay takes.
    public enum Timing: Sendable, Hashable {
        /// No time.
        case none
        /// As long as the exchange took: up to the head of the answer, and then for its body. The given time source does the waiting.
        case recorded
    }

    /// The running calls of the clients over this transport.
    public let calls: CallGroup? = CallGroup()

    private let cassette: Locked<CassetteReel>
    private let recorder = Recorder<HTTPRequest>()
    private let rule: MatchingRule
    private let timing: Timing
    private let time: any TimeSource

    /// Answers from a HAR file.
    ///
    /// Throws a ``HARError`` that says where and what when the file is none.
    ///
    /// - Parameters:
    ///   - file: the recording.
    ///   - rule: which entry a request is answered from.
    ///   - timing: whether answers take as long as they did.
    ///   - time: does the waiting.
    ///   - maxBytes: the maximum size of the file, in bytes. Default: 100,000,000.
    public convenience init(
        contentsOf file: URL, matching rule: MatchingRule = .strict, timing: Timing = .none, time: any TimeSource = .system,
        maxBytes: Int = 100_000_000
    ) throws(HARError) {
        self.init(try HARReading.exchanges(at: file, limit: maxBytes), matching: rule, timing: timing, time: time)
    }

    /// Answers from the bytes of a HAR. See ``init(contentsOf:matching:timing:time:maxBytes:)``.
    public convenience init(
        har: Data, matching rule: MatchingRule = .strict, timing: Timing = .none, time: any TimeSource = .system,
        maxBytes: Int = 100_000_000
    ) throws(HARError) {
        self.init(try HARReading.exchanges(in: har, limit: maxBytes), matching: rule, timing: timing, time: time)
    }

    private init(_ exchanges: [RecordedExchange], matching rule: MatchingRule, timing: Timing, time: any TimeSource) {
        cassette = Locked(CassetteReel(exchanges: exchanges, rule: rule))
        self.rule = rule
        self.timing = timing
        self.time = time
    }

    /// What was sent so far, in order, each with its body in memory: `request.body?.buffered`.
    public var requests: [HTTPRequest] { recorder.values }

    /// How many entries the recording has.
    public var count: Int { cassette.withLock { $0.count } }

    /// Throws when an entry has never answered.
    public func verify() throws(UnusedStubsError) { try UnusedStubsError.check(cassette.withLock { $0.unused }) }

    /// Gives the answer of the entry that fits.
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
        let reply = try ReplayedReply.of(exchange, isTimed: timing == .recorded)
        var response = try await MockExchange(reply: reply, request: request, time: time).response()
        response.metadata.version = exchange.answer?.version
        response.metadata.wasContentCoded = exchange.answer?.wasContentCoded ?? false
        response.metadata.remoteAddress = exchange.remoteAddress
        return response
    }
}
