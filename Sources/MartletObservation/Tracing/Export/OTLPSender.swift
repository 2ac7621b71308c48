internal import MartletClient
internal import MartletEssentials
internal import MartletHTTP

/// Sends batches of spans to a collector, and sends them again after failures that may pass (OTLP specification, "OTLP/HTTP").
struct OTLPSender: Sendable {
    /// What became of a batch.
    enum Result: Sendable {
        /// The collector took the batch except some spans, with its message if it sent one.
        case accepted(rejected: Int, message: String?)
        /// The batch was not sent, for this reason.
        case failed(String)
    }

    private let client: HTTPClient
    private let url: URL
    private let headers: HTTPFields
    private let resource: [String: SpanValue]
    private let limits: OTLPExporter.Limits
    private let backoff = Backoff.exponential(base: .seconds(1), jitter: .equal, cap: .seconds(30))

    init(
        url: URL, resource: [String: SpanValue], headers: HTTPFields, limits: OTLPExporter.Limits, transport: any Transport,
        time: any TimeSource, random: any RandomSource
    ) {
        // A redirect would send the spans, and perhaps the collector's credential, to another server.
        var configuration = HTTPClient.Configuration(totalTimeout: limits.timeout, redirects: .none)
        configuration.limits.bodyBytes = 1_000_000
        client = HTTPClient(transport: transport, configuration: configuration, time: time, random: random)
        self.url = url
        self.headers = headers
        self.resource = resource
        self.limits = limits
    }

    /// Sends a batch until the collector takes or rejects it, the attempts are used up, or the task is cancelled.
    func send(_ spans: [FinishedSpan]) async -> Result {
        let body = RequestBody.jsonData(Data(OTLPText.request(spans, resource: resource).description.utf8))
        let request = Request<Data>(method: .post, url: url, headers: headers, body: body)
        var attempt = 1
        while true {
            do throws(HTTPError) {
                return OTLPText.result(try await client.send(request))
            } catch {
                guard attempt < limits.attempts, let wait = wait(after: error, attempt), !Task.isCancelled else {
                    return .failed(error.description)
                }
                do { try await client.time.sleep(for: wait) } catch { return .failed("the exporter was shut down") }
                attempt += 1
            }
        }
    }

    /// Returns the wait before the next attempt, or nil for a failure that does not pass.
    private func wait(after error: HTTPError, _ attempt: Int) -> Duration? {
        switch error {
        case .networkError, .timeout: break
        case .statusCode(let response):
            guard [429, 502, 503, 504].contains(response.status.rawValue) else { return nil }
            if let wait = ServerWait.asked(by: response.map { _ in }, now: client.time.now) { return min(wait, limits.serverWait) }
        default: return nil
        }
        return backoff.delay(afterAttempt: attempt, random: client.random)
    }
}
