public import MartletClient
public import MartletEssentials
internal import MartletHTTP

/// Creates the spans that ``TracingObserver`` describes calls with. ``SpanTracer`` is Martlet's own; conform to it to use another library.
public protocol Tracer: Sendable {
    /// Returns the parent of the span of a call, or nil to begin a trace. Called on the task of the call.
    ///
    /// Default: the context in the request's own `traceparent` field, or else ``TraceContext/current``.
    ///
    /// - Parameter request: The first request of the call, or nil if it has none.
    func parent(of request: HTTPRequest?) -> (any SpanContext)?
    /// Starts a span.
    ///
    /// - Parameters:
    ///   - name: The name, of few different values.
    ///   - kind: The relation to other spans.
    ///   - parent: The context of another span of this tracer, or what ``parent(of:)`` returned.
    ///   - attributes: Returns the first attributes, each key once, which a sampler may use. A span that is not recorded needs none.
    ///   - start: The start on the wall clock.
    func startSpan(
        _ name: String, kind: SpanKind, parent: (any SpanContext)?, attributes: @autoclosure () -> [(key: String, value: SpanValue)],
        start: Date
    ) -> any TraceSpan
}

extension Tracer {
    /// Returns the context in the request's own `traceparent` field, or else that of the task.
    public func parent(of request: HTTPRequest?) -> (any SpanContext)? {
        request.flatMap { TraceContext(headers: $0.headers) } ?? TraceContext.current
    }
}

/// What a span passes on: to the spans within it, to the calls of a task, and to servers. ``TraceContext`` is that of ``SpanTracer``.
public protocol SpanContext: Sendable {
    /// Sets the fields by which a server learns of the span.
    func write(to headers: inout HTTPFields)
    /// Runs an operation in which the span is the parent of the calls that begin.
    func withCurrent<Value: Sendable>(_ operation: () async throws -> Value) async rethrows -> Value
}

extension SpanContext {
    /// Returns the fields to add to a request, or none if it has one of them already.
    ///
    /// If another origin has chosen its target, they are the fields that a redirect leaves, because a context may have values of the app.
    ///
    /// - Parameter isNamed: Whether the app has named the origin of the request as one that receives all fields.
    func fields(for request: HTTPRequest, isNamed: Bool) -> HTTPFields {
        var fields = HTTPFields()
        write(to: &fields)
        if !isNamed, !request.context.passedOrigins.isEmpty { fields.removeAllButPortable(naming: request.context.harmlessFields) }
        return request.headers.containsName(of: fields) ? HTTPFields() : fields
    }
}

/// A running span. Its methods may be called from any thread, and do nothing after ``end(at:)``.
public protocol TraceSpan: Sendable {
    /// What the span passes on.
    var context: any SpanContext { get }
    /// Sets attributes, each key once. They replace those of the same keys.
    func set(_ attributes: @autoclosure () -> [(key: String, value: SpanValue)])
    /// Adds an event.
    func addEvent(_ name: String, attributes: [String: SpanValue], at date: Date)
    /// Marks the span as failed. Spans are not marked otherwise.
    ///
    /// - Parameter description: Why, for developers and without secrets, or empty if the attributes say it.
    func fail(_ description: String)
    /// Ends the span.
    func end(at date: Date)
}

/// The relation of a span to other spans (OpenTelemetry, `SpanKind`). The raw values are those of OTLP.
public enum SpanKind: Int, Sendable, Hashable {
    /// Work within the process.
    case `internal` = 1
    /// The handling of a request.
    case server = 2
    /// A request to a server.
    case client = 3
    /// The sending of a message.
    case producer = 4
    /// The handling of a message.
    case consumer = 5
}

/// The value of an attribute of a span.
@nonexhaustive public enum SpanValue: Sendable, Hashable {
    /// A text.
    case string(String)
    /// A whole number.
    case int(Int64)
    /// A number.
    case double(Double)
    /// A Boolean value.
    case bool(Bool)
    /// Several texts.
    case strings([String])
}

extension SpanValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral {
    /// Creates a text.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates a whole number.
    public init(integerLiteral value: Int64) { self = .int(value) }
    /// Creates a number.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// Creates a Boolean value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}
