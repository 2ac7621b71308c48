#if SwiftMetrics
internal import MartletObservation
internal import MartletSystem
internal import Metrics

/// The metrics of a factory. Handlers are kept, because finding one takes a factory longer than recording with it.
final class RequestMeters: Sendable {
    let factory: any MetricsFactory
    private let known: KnownTargets
    private let targets = Kept<Target, TargetMeters>()

    init(_ factory: any MetricsFactory, _ known: KnownTargets) {
        self.factory = factory
        self.known = known
    }

    /// Whether a factory is the one of these metrics. False for factories without an identity, whose handlers each call finds again.
    func areMade(by factory: any MetricsFactory) -> Bool {
        type(of: factory) is AnyClass && factory as AnyObject === self.factory as AnyObject
    }

    /// Returns the metrics of a target, or of all further ones if it is not among the known ones.
    func meters(for target: Target) -> TargetMeters {
        if let kept = targets[target] { return kept }
        let bounded = known.bounded(target)
        return targets.value(for: bounded) { TargetMeters(bounded, factory) }
    }
}

/// The first different targets of an observer, whatever factories measure them.
final class KnownTargets: Sendable {
    private let limit: Int
    private let targets = Locked<Set<Target>>([])

    init(limit: Int) { self.limit = limit }

    /// Returns a target that is among the first ones, and in place of any other one what all others have in common.
    func bounded(_ target: Target) -> Target {
        targets.withLock { targets in
            if targets.contains(target) { return target }
            guard targets.count < limit else { return target.other }
            targets.insert(target)
            return target
        }
    }
}

/// The dimensions of a request before it is sent.
struct Target: Hashable {
    let client: String
    let method: String
    let template: String
    /// The name of the only GraphQL operation, or empty.
    let operation: String
    let address: String
    let port: Int?

    init(client: String, method: HTTPMethod?, origin: Origin?, template: String, of call: CallInfo) {
        self.client = client
        self.method = method.map { HTTPConventions.method($0) } ?? "_OTHER"
        self.template = template
        operation = call.operations.count == 1 ? call.operations[0].name ?? "" : ""
        address = origin?.host ?? ""
        port = origin?.port
    }

    private init(otherOf target: Target) {
        client = target.client
        method = target.method
        template = "_OTHER"
        operation = target.operation.isEmpty ? "" : "_OTHER"
        address = "_OTHER"
        port = nil
    }

    /// The dimensions of requests beyond the limit.
    var other: Target { Target(otherOf: self) }

    var dimensions: [(String, String)] {
        [
            ("martlet.client", client), ("http.request.method", method), ("url.template", template), ("graphql.operation.name", operation),
            ("server.address", address), ("server.port", port.map { "\($0)" } ?? ""),
        ]
    }
}

/// The dimensions of a request or call that has ended.
struct RequestResult: Hashable {
    let status: HTTPStatus?
    let errorType: String
    let outcome: String

    /// Creates the result of an attempt.
    ///
    /// - Parameter name: The name of its error, or nil.
    init(_ outcome: CallTrace.Outcome, named name: String?) {
        status = if case .status(let status) = outcome { status } else { nil }
        errorType = HTTPConventions.errorType(outcome, named: name) ?? ""
        self.outcome = outcome.metricLabel
    }

    init(_ outcome: CallOutcome) {
        status = HTTPConventions.status(outcome)
        errorType = HTTPConventions.errorType(outcome) ?? ""
        self.outcome = outcome.metricLabel
    }

    /// The result of an attempt that was running when its call ended.
    init(interruptedBy outcome: CallOutcome) {
        status = nil
        errorType = outcome.labelOfInterruptedAttempts
        self.outcome = errorType
    }

    var dimensions: [(String, String)] {
        [
            ("http.response.status_code", status.map { "\($0.rawValue)" } ?? ""), ("error.type", errorType), ("martlet.outcome", outcome),
        ]
    }
}

/// The metrics of requests with the same dimensions. Each handler is made when it gets its first value.
final class TargetMeters: Sendable {
    fileprivate let dimensions: [(String, String)]
    fileprivate let factory: any MetricsFactory
    private let activeRequests = KeptOne<any MeterHandler>()
    private let requestSizes = KeptOne<any RecorderHandler>()
    private let results = Kept<RequestResult, ResultMeters>()
    private let cacheRequests = Kept<String, any CounterHandler>()

    init(_ target: Target, _ factory: any MetricsFactory) {
        dimensions = target.dimensions
        self.factory = factory
    }

    func requestStarted() { activeMeter.increment(by: 1) }

    func requestEnded() { activeMeter.decrement(by: 1) }

    func requestBody(_ count: Int64) {
        requestSizes.value { factory.makeRecorder(label: "http.client.request.body.size", dimensions: dimensions, aggregate: true) }
            .record(count)
    }

    /// Returns the metrics of requests and calls with a result.
    func meters(for result: RequestResult) -> ResultMeters { results.value(for: result) { ResultMeters(self, result) } }

    func cacheRequest(_ status: CacheStatus) {
        let result = status.metricLabel
        cacheRequests.value(for: result) {
            factory.makeCounter(label: "martlet.client.cache.requests", dimensions: dimensions + [("martlet.cache.result", result)])
        }.increment(by: 1)
    }

    private var activeMeter: any MeterHandler {
        activeRequests.value { factory.makeMeter(label: "http.client.active_requests", dimensions: dimensions) }
    }
}

/// The metrics of requests and calls with the same dimensions that have ended alike.
final class ResultMeters: Sendable {
    private let dimensions: [(String, String)]
    private let factory: any MetricsFactory
    private let requestDurations = KeptOne<any TimerHandler>()
    private let callDurations = KeptOne<any TimerHandler>()
    private let responseSizes = KeptOne<any RecorderHandler>()

    fileprivate init(_ target: TargetMeters, _ result: RequestResult) {
        dimensions = target.dimensions + result.dimensions
        factory = target.factory
    }

    func requestDuration(_ duration: Duration) {
        requestDurations.value { timer("http.client.request.duration") }.recordNanoseconds(duration.nanoseconds)
    }

    func callDuration(_ duration: Duration) {
        callDurations.value { timer("martlet.client.call.duration") }.recordNanoseconds(duration.nanoseconds)
    }

    func responseBody(_ count: Int) {
        responseSizes.value { factory.makeRecorder(label: "http.client.response.body.size", dimensions: dimensions, aggregate: true) }
            .record(Int64(count))
    }

    private func timer(_ label: String) -> any TimerHandler {
        let timer = factory.makeTimer(label: label, dimensions: dimensions)
        timer.preferDisplayUnit(.seconds)
        return timer
    }
}

/// Values that are made once for each key.
private final class Kept<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct State {
        var values: [Key: Value] = [:]
        /// The value that was used last. Many calls need it again: comparing keys takes 500 instructions less than hashing one.
        var latest: (key: Key, value: Value)?

        mutating func use(_ key: Key) -> Value? {
            if let latest, latest.key == key { return latest.value }
            guard let value = values[key] else { return nil }
            latest = (key, value)
            return value
        }
    }

    private let state = Locked(State())

    subscript(key: Key) -> Value? { state.withLock { $0.use(key) } }

    /// Returns the value for a key. Concurrent calls may make several values, of which one is kept.
    func value(for key: Key, make: () -> Value) -> Value {
        if let kept = self[key] { return kept }
        let made = make()
        return state.withLock { state in
            let kept = state.values[key] ?? made
            state.values[key] = kept
            return kept
        }
    }
}

/// A value that is made once.
private final class KeptOne<Value: Sendable>: Sendable {
    private let kept = Locked<Value?>(nil)

    /// Returns the value. Concurrent calls may make several, of which one is kept.
    func value(make: () -> Value) -> Value {
        if let kept = kept.withLock({ $0 }) { return kept }
        let made = make()
        return kept.withLock { kept in
            let value = kept ?? made
            kept = value
            return value
        }
    }
}

extension Duration {
    fileprivate var nanoseconds: Int64 {
        let nanoseconds = components.seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return nanoseconds.overflow ? .max : nanoseconds.partialValue + components.attoseconds / 1_000_000_000
    }
}
#endif
