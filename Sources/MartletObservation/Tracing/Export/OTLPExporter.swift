public import MartletClient
public import MartletEssentials
internal import MartletSystem

/// Sends spans to a collector by OTLP/HTTP in JSON (OpenTelemetry Protocol 1.x).
///
/// ```swift
/// let exporter = OTLPExporter(url: URL(string: "http://localhost:4318/v1/traces")!, service: "shop", transport: transport)
/// let tracing = TracingObserver(SpanTracer(exporter))
/// // at the end of the process:
/// await exporter.shutdown()
/// ```
///
/// Spans wait in a bounded queue and are sent in batches, one request at a time. A span that finds the queue full is dropped and counted in
/// ``statistics``. A batch is sent again after a network failure, a timeout, and the statuses 429, 502, 503 and 504, with a growing
/// wait or after the server's `Retry-After`; after `maxAttempts` it is dropped. Redirects are not followed.
///
/// The exporter has a client of its own, without observers, so it never reports itself. ``shutdown(within:)`` sends the waiting spans;
/// without it, the last spans of a process are lost.
public final class OTLPExporter: Sendable {
    /// What an exporter has done with its spans so far.
    public struct Statistics: Sendable, Hashable {
        /// The number of spans that the collector accepted.
        public internal(set) var sent = 0
        /// The number of spans that were not sent: the queue was full, every attempt failed, or the exporter was shut down.
        public internal(set) var dropped = 0
        /// The number of spans that the collector rejected in a partial success.
        public internal(set) var rejected = 0
        /// The reason why a batch was last dropped or rejected, for developers and without secrets, or nil.
        public internal(set) var lastFailure: String?
    }

    /// The sizes of an exporter, of at least 1, and its times, of at least zero.
    struct Limits: Sendable {
        let queue: Int, batch: Int, delay: Duration, attempts: Int, timeout: Duration, serverWait: Duration
    }

    private struct State {
        var waiting: [FinishedSpan] = []
        var worker: Task<Void, Never>?
        var timer: (any ScheduledTimer)?
        var isShutDown = false
        var statistics = Statistics()

        mutating func count(_ result: OTLPSender.Result, of count: Int) {
            switch result {
            case .accepted(let rejectedCount, let message):
                let rejected = min(max(0, rejectedCount), count)
                statistics.sent += count - rejected
                statistics.rejected += rejected
                if let message { statistics.lastFailure = message }
            case .failed(let reason):
                statistics.dropped += count
                statistics.lastFailure = reason
            }
        }
    }

    private let sender: OTLPSender
    private let limits: Limits
    private let time: any TimeSource
    private let state = Locked(State())

    /// Creates an exporter.
    ///
    /// - Parameters:
    ///   - url: The URL of the collector's endpoint for traces, usually one that ends with `/v1/traces`.
    ///   - service: The name of this service, the attribute `service.name` of the resource.
    ///   - resource: Other attributes of the resource, such as `service.version`.
    ///   - headers: Fields of each request, such as the collector's credential.
    ///   - maxQueuedSpans: The maximum number of spans that wait. Numbers below 1 count as 1, and negative times as zero, here and below.
    ///     Default: 2,048.
    ///   - maxBatchSpans: The maximum number of spans in a request. Default: 512.
    ///   - batchDelay: The longest time that a span waits for others before it is sent. Default: 5 seconds.
    ///   - maxAttempts: The maximum number of attempts to send a batch. Default: 5.
    ///   - attemptTimeout: The time limit for one attempt. Default: 10 seconds.
    ///   - maxServerWait: The maximum wait that the exporter accepts from a server. Default: 60 seconds.
    ///   - transport: Sends the requests. Use one that no other client uses: `cancelAll()` and `drain(within:)` of a client also act on the
    ///     calls of others over its transport. `import Martlet` adds an initializer with the platform's transport.
    ///   - time: The clock. Default: the system's.
    ///   - random: The source of the waits' jitter. Default: the system's.
    public init(
        url: URL, service: String, resource: [String: SpanValue] = [:], headers: HTTPFields = [:], maxQueuedSpans: Int = 2_048,
        maxBatchSpans: Int = 512, batchDelay: Duration = .seconds(5), maxAttempts: Int = 5, attemptTimeout: Duration = .seconds(10),
        maxServerWait: Duration = .seconds(60), transport: any Transport, time: any TimeSource = .system, random: any RandomSource = .system
    ) {
        let limits = Limits(
            queue: max(1, maxQueuedSpans), batch: max(1, maxBatchSpans), delay: max(.zero, batchDelay),
            attempts: max(1, maxAttempts), timeout: max(.zero, attemptTimeout), serverWait: max(.zero, maxServerWait))
        let attributes = resource.merging(["service.name": .string(service)]) { _, name in name }
        sender = OTLPSender(
            url: url, resource: attributes, headers: headers, limits: limits, transport: transport, time: time, random: random)
        self.limits = limits
        self.time = time
    }

    /// The numbers of spans that were sent, dropped and rejected so far.
    public var statistics: Statistics { state.withLock { $0.statistics } }

    /// Appends a span to the queue, or drops it if the queue is full or the exporter is shut down.
    public func export(_ span: FinishedSpan) {
        state.withLock { state in
            guard !state.isShutDown, state.waiting.count < limits.queue else {
                state.statistics.dropped += 1
                return
            }
            state.waiting.append(span)
            if state.waiting.count >= min(limits.batch, limits.queue) {
                startWorker(&state)
            } else if state.worker == nil, state.timer == nil {
                state.timer = time.timer(at: time.instant + limits.delay) { [weak self] in self?.delayPassed() }
            }
        }
    }

    private func delayPassed() {
        state.withLock { state in
            state.timer = nil
            startWorker(&state)
        }
    }

    /// Sends the spans that wait, and returns when none waits any more.
    public func flush() async {
        let worker = state.withLock { state in
            startWorker(&state)
            return state.worker
        }
        await worker?.value
    }

    /// Refuses new spans, sends the waiting ones, and drops what is not sent within the time limit.
    ///
    /// - Parameter limit: The time limit. Default: 10 seconds.
    public func shutdown(within limit: Duration = .seconds(10)) async {
        let worker = state.withLock { state in
            state.isShutDown = true
            startWorker(&state)
            return state.worker
        }
        guard let worker else { return }
        let timer = time.timer(at: time.instant + limit) { worker.cancel() }
        await withTaskCancellationHandler {
            await worker.value
        } onCancel: {
            worker.cancel()
        }
        timer.cancel()
    }

    private func startWorker(_ state: inout State) {
        guard state.worker == nil, !state.waiting.isEmpty else { return }
        state.timer?.cancel()
        state.timer = nil
        // Detached: the values of the task that ended a span, such as its trace, are not those of the export.
        state.worker = Task.detached { [self] in await work() }
    }

    /// Sends batches until no span waits.
    private func work() async {
        while let batch = nextBatch() {
            let result = await sender.send(batch)
            state.withLock { $0.count(result, of: batch.count) }
        }
    }

    /// Takes the next batch, or ends the worker.
    private func nextBatch() -> [FinishedSpan]? {
        let isCancelled = Task.isCancelled
        return state.withLock { state in
            if isCancelled {
                state.statistics.dropped += state.waiting.count
                state.waiting = []
            }
            guard !state.waiting.isEmpty else {
                state.worker = nil
                return nil
            }
            let batch = Array(state.waiting.prefix(limits.batch))
            state.waiting.removeFirst(batch.count)
            return batch
        }
    }
}
