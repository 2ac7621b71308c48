#if SwiftLog && SwiftMetrics && SwiftTracing
import CoreMetrics
import Foundation
import Logging
import Tracing

/// Backends that keep what a real one keeps while a call runs, and discard it at the end.

/// A log that discards its entries.
struct DiscardingHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { _ = event.metadata.map { metadata.merging($0) { _, new in new } } }
}

/// Metrics that are kept by their names and dimensions, and count their values.
final class DiscardingFactory: MetricsFactory, @unchecked Sendable {
    private struct Key: Hashable {
        let label: String
        let dimensions: [(String, String)]

        static func == (left: Key, right: Key) -> Bool {
            left.label == right.label && left.dimensions.elementsEqual(right.dimensions, by: ==)
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(label)
            for (name, value) in dimensions {
                hasher.combine(name)
                hasher.combine(value)
            }
        }
    }

    /// A counter of values.
    private final class Handler: CounterHandler, RecorderHandler, TimerHandler, MeterHandler, @unchecked Sendable {
        private let lock = NSLock()
        private var sum = 0.0

        private func add(_ value: Double) { lock.withLock { sum += value } }
        func increment(by amount: Int64) { add(Double(amount)) }
        func increment(by amount: Double) { add(amount) }
        func decrement(by amount: Double) { add(-amount) }
        func set(_ value: Int64) { add(Double(value)) }
        func set(_ value: Double) { add(value) }
        func record(_ value: Int64) { add(Double(value)) }
        func record(_ value: Double) { add(value) }
        func recordNanoseconds(_ duration: Int64) { add(Double(duration)) }
        func reset() {}
    }

    private let lock = NSLock()
    private var handlers: [Key: Handler] = [:]

    private func handler(_ label: String, _ dimensions: [(String, String)]) -> Handler {
        lock.withLock {
            let key = Key(label: label, dimensions: dimensions)
            if let handler = handlers[key] { return handler }
            let handler = Handler()
            handlers[key] = handler
            return handler
        }
    }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler { handler(label, dimensions) }
    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler { handler(label, dimensions) }
    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler { handler(label, dimensions) }

    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        handler(label, dimensions)
    }

    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyMeter(_ handler: any MeterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
}

/// Makes the same handlers as `DiscardingFactory`. It is a struct, like the factories of most backends.
struct ValueFactory: MetricsFactory {
    let factory = DiscardingFactory()

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        factory.makeCounter(label: label, dimensions: dimensions)
    }

    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        factory.makeMeter(label: label, dimensions: dimensions)
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        factory.makeTimer(label: label, dimensions: dimensions)
    }

    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        factory.makeRecorder(label: label, dimensions: dimensions, aggregate: aggregate)
    }

    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyMeter(_ handler: any MeterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
}

/// A tracer that records all spans, injects `traceparent`, and discards each span at its end.
struct DiscardingTracer: Tracing::Tracer {
    private enum ContextKey: ServiceContextKey { typealias Value = IDs }

    /// Numbers that look random, without a call of the system.
    private final class Numbers: @unchecked Sendable {
        private let lock = NSLock()
        private var state: UInt64 = 1

        func next() -> UInt64 {
            var number = lock.withLock {
                state &+= 0x9E37_79B9_7F4A_7C15
                return state
            }
            number = (number ^ number >> 30) &* 0xBF58_476D_1CE4_E5B9
            return number ^ number >> 27
        }
    }

    private let ids = Numbers()

    struct IDs: Sendable {
        var trace: (UInt64, UInt64)
        var span: UInt64
    }

    final class Span: Tracing::Span, @unchecked Sendable {
        private let lock = NSLock()
        private var name: String
        private var values = SpanAttributes()
        private var events: [SpanEvent] = []
        private var status: SpanStatus?
        private var hasEnded = false
        let context: ServiceContext

        init(_ name: String, _ context: ServiceContext) {
            self.name = name
            self.context = context
        }

        var operationName: String {
            get { lock.withLock { name } }
            set { lock.withLock { name = newValue } }
        }
        var attributes: SpanAttributes {
            get { lock.withLock { values } }
            set { lock.withLock { values = newValue } }
        }
        var isRecording: Bool { lock.withLock { !hasEnded } }
        func setStatus(_ status: SpanStatus) { lock.withLock { self.status = status } }
        func addEvent(_ event: SpanEvent) { lock.withLock { events.append(event) } }
        func recordError<Instant: TracerInstant>(_ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant) {}
        func addLink(_ link: SpanLink) {}
        func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) { lock.withLock { hasEnded = true } }
    }

    func startSpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind, at instant: @autoclosure () -> Instant,
        function: String, file fileID: String, line: UInt
    ) -> Span {
        var context = context()
        let parent = context[ContextKey.self]
        context[ContextKey.self] = IDs(trace: parent?.trace ?? (ids.next(), ids.next()), span: ids.next())
        return Span(operationName, context)
    }

    func forceFlush() {}

    func extract<Carrier, Extract: Extractor>(_ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract)
    where Extract.Carrier == Carrier {}

    func inject<Carrier, Inject: Injector>(_ context: ServiceContext, into carrier: inout Carrier, using injector: Inject)
    where Inject.Carrier == Carrier {
        guard let ids = context[ContextKey.self] else { return }
        func hex(_ number: UInt64) -> String {
            let digits = String(number, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        injector.inject("00-\(hex(ids.trace.0))\(hex(ids.trace.1))-\(hex(ids.span))-01", forKey: "traceparent", into: &carrier)
    }
}

/// A tracer that samples no trace: its spans have contexts, which it injects, and keep nothing.
struct UnsampledTracer: Tracing::Tracer {
    struct Span: Tracing::Span {
        let context: ServiceContext
        var isRecording: Bool { false }
        var operationName: String {
            get { "" }
            nonmutating set {}
        }
        var attributes: SpanAttributes {
            get { [:] }
            nonmutating set {}
        }
        func setStatus(_ status: SpanStatus) {}
        func addEvent(_ event: SpanEvent) {}
        func recordError<Instant: TracerInstant>(_ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant) {}
        func addLink(_ link: SpanLink) {}
        func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {}
    }

    private let tracer = DiscardingTracer()

    func startSpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind, at instant: @autoclosure () -> Instant,
        function: String, file fileID: String, line: UInt
    ) -> Span {
        let span = tracer.startSpan(
            operationName, context: context(), ofKind: kind, at: instant(), function: function, file: fileID, line: line)
        return Span(context: span.context)
    }

    func forceFlush() {}

    func extract<Carrier, Extract: Extractor>(_ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract)
    where Extract.Carrier == Carrier {}

    func inject<Carrier, Inject: Injector>(_ context: ServiceContext, into carrier: inout Carrier, using injector: Inject)
    where Inject.Carrier == Carrier { tracer.inject(context, into: &carrier, using: injector) }
}
#endif
