#if SwiftTracing
internal import MartletEssentials
internal import MartletObservation
internal import Tracing

/// A tracer of swift-distributed-tracing as one of Martlet's.
struct ForeignTracer: MartletObservation::Tracer {
    /// The tracer and instrument, or nil for those of `InstrumentationSystem`.
    let tracer: (any Tracing::Tracer)?

    func parent(of request: HTTPRequest?) -> (any MartletObservation::SpanContext)? {
        ServiceContext.current.map { ForeignContext(context: $0, instrument: tracer) }
    }

    func startSpan(
        _ name: String, kind: MartletObservation::SpanKind, parent: (any MartletObservation::SpanContext)?,
        attributes: @autoclosure () -> [(key: String, value: SpanValue)], start: Date
    ) -> any TraceSpan {
        let parent = (parent as? ForeignContext)?.context ?? .topLevel
        let tracer = self.tracer ?? InstrumentationSystem.tracer
        let span = ForeignSpan(
            tracer.startSpan(name, context: parent, ofKind: kind.foreign, at: start.timestamp), isAttempt: kind == .client,
            instrument: self.tracer)
        span.set(attributes())
        return span
    }
}

/// The context of a span or of a task.
private struct ForeignContext: MartletObservation::SpanContext {
    /// Sets the fields that an instrument injects.
    private struct FieldInjector: Injector {
        func inject(_ value: String, forKey key: String, into headers: inout HTTPFields) { headers[HTTPFieldName(key)] = value }
    }

    let context: ServiceContext
    /// The instrument that injects the context, or nil for that of `InstrumentationSystem`.
    let instrument: (any Instrument)?

    func write(to headers: inout HTTPFields) {
        var fields = HTTPFields()
        (instrument ?? InstrumentationSystem.instrument).inject(context, into: &fields, using: FieldInjector())
        // A context may contain what another process sent. A line that can't be sent must not make the call fail.
        while let line = fields.firstInvalidLine { fields.remove(line.name) }
        headers.replace(with: fields)
    }

    func withCurrent<Value: Sendable>(_ operation: () async throws -> Value) async rethrows -> Value {
        try await ServiceContext.$current.withValue(context) { try await operation() }
    }
}

/// A span of the tracer.
private struct ForeignSpan: TraceSpan {
    let span: any Tracing::Span
    let context: any MartletObservation::SpanContext
    let isAttempt: Bool

    init(_ span: any Tracing::Span, isAttempt: Bool, instrument: (any Instrument)?) {
        self.span = span
        self.isAttempt = isAttempt
        context = ForeignContext(context: span.context, instrument: instrument)
    }

    func set(_ attributes: @autoclosure () -> [(key: String, value: SpanValue)]) {
        guard span.isRecording else { return }
        var merged = span.attributes
        let added = attributes()
        guard !merged.isEmpty else {
            // With room for those of the end: the copy that the tracer's dictionary needs then would otherwise grow and hash all again.
            var first = [String: SpanAttribute](minimumCapacity: 12)
            for (key, value) in added { first[key] = value.foreign }
            return span.attributes = SpanAttributes(first)
        }
        for (key, value) in added { merged.set(key, value: value.foreign) }
        span.attributes = merged
    }

    func addEvent(_ name: String, attributes: [String: SpanValue], at date: Date) {
        guard span.isRecording else { return }
        span.addEvent(SpanEvent(name: name, at: date.timestamp, attributes: attributes.foreign))
    }

    func fail(_ description: String) {
        guard span.isRecording else { return }
        let attributes = span.attributes
        // A response is not an error of its attempt.
        if !isAttempt || attributes.get("http.response.status_code") == nil {
            let type = if case .string(let type)? = attributes.get("error.type") { type } else { "_OTHER" }
            span.recordError(
                RecordedError(description: description.isEmpty ? type : description), attributes: ["exception.type": .string(type)])
        }
        span.setStatus(SpanStatus(code: .error, message: description.isEmpty ? nil : description))
    }

    func end(at date: Date) { span.end(at: date.timestamp) }
}

/// What a tracer gets of an error: no response and no secret.
private struct RecordedError: Error, CustomStringConvertible {
    let description: String
}

extension MartletObservation::SpanKind {
    fileprivate var foreign: Tracing::SpanKind {
        switch self {
        case .internal: .internal
        case .server: .server
        case .client: .client
        case .producer: .producer
        case .consumer: .consumer
        }
    }
}

extension [String: SpanValue] {
    fileprivate var foreign: SpanAttributes { SpanAttributes(mapValues(\.foreign)) }
}

extension SpanValue {
    fileprivate var foreign: SpanAttribute {
        switch self {
        case .string(let text): .string(text)
        case .int(let number): .int64(number)
        case .double(let number): .double(number)
        case .bool(let value): .bool(value)
        case .strings(let texts): .stringArray(texts)
        }
    }
}

extension Date {
    fileprivate var timestamp: DefaultTracerClock.Timestamp {
        DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: UInt64(min(max(0, timeIntervalSince1970 * 1e9), 0x1p63)))
    }
}
#endif
