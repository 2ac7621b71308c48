internal import MartletClient
internal import MartletEssentials

/// Spans in the JSON of OTLP: protobuf's mapping, except that identifiers are hexadecimal and enumerations are numbers.
enum OTLPText {
    /// Returns an `ExportTraceServiceRequest`.
    static func request(_ spans: [FinishedSpan], resource: [String: SpanValue]) -> JSONValue {
        [
            "resourceSpans": [
                [
                    "resource": ["attributes": attributes(resource)],
                    "scopeSpans": [["scope": ["name": "martlet"], "spans": JSONValue(spans.map(span))]],
                ]
            ]
        ]
    }

    /// Reads an `ExportTraceServiceResponse`. A body that is not one counts as a success.
    static func result(_ body: Data) -> OTLPSender.Result {
        guard let json = try? JSONValue(parsing: body), let partial = json["partialSuccess"] else {
            return .accepted(rejected: 0, message: nil)
        }
        let rejected = partial["rejectedSpans"].flatMap { $0.intValue ?? $0.stringValue.flatMap { Int($0) } } ?? 0
        let message = partial["errorMessage"]?.stringValue.flatMap { $0.isEmpty ? nil : Redaction.line($0, limit: 200) }
        return .accepted(rejected: rejected, message: message)
    }

    private static func span(_ span: FinishedSpan) -> JSONValue {
        let context = span.context
        var members: [(String, JSONValue)] = [
            ("traceId", .string("\(context.traceID)")), ("spanId", .string("\(context.spanID)")),
        ]
        if !context.state.isEmpty { members.append(("traceState", .string("\(context.state)"))) }
        if let id = span.parentID { members.append(("parentSpanId", .string("\(id)"))) }
        members += [
            ("flags", .integer((context.isSampled ? 1 : 0) | (context.isRandom ? 2 : 0))), ("name", .string(span.name)),
            ("kind", .integer(Int64(span.kind.rawValue))), ("startTimeUnixNano", nanoseconds(span.start)),
            ("endTimeUnixNano", nanoseconds(span.end)), ("attributes", attributes(span.attributes)),
            ("events", JSONValue(span.events.map(event))),
        ]
        if span.droppedEventCount > 0 { members.append(("droppedEventsCount", .integer(Int64(span.droppedEventCount)))) }
        members.append(("status", status(span.failure)))
        return .object(JSONObject(members))
    }

    private static func status(_ failure: String?) -> JSONValue {
        guard let failure else { return [:] }
        return failure.isEmpty ? ["code": 2] : ["message": .string(failure), "code": 2]
    }

    private static func event(_ event: FinishedSpan.Event) -> JSONValue {
        ["timeUnixNano": nanoseconds(event.date), "name": .string(event.name), "attributes": attributes(event.attributes)]
    }

    /// Returns key-value pairs, sorted by their keys.
    private static func attributes(_ attributes: [String: SpanValue]) -> JSONValue {
        JSONValue(attributes.sorted { $0.key < $1.key }.map { ["key": .string($0.key), "value": value($0.value)] })
    }

    private static func value(_ value: SpanValue) -> JSONValue {
        switch value {
        case .string(let text): ["stringValue": .string(text)]
        case .int(let number): ["intValue": .string("\(number)")]
        case .double(let number): ["doubleValue": number.isFinite ? .number(number) : .string(name(number))]
        case .bool(let isTrue): ["boolValue": .bool(isTrue)]
        case .strings(let texts): ["arrayValue": ["values": JSONValue(texts.map { ["stringValue": .string($0)] })]]
        }
    }

    /// Returns protobuf's name of a number that JSON can't express.
    private static func name(_ number: Double) -> String { number.isNaN ? "NaN" : number > 0 ? "Infinity" : "-Infinity" }

    /// Returns the nanoseconds since 1970 as text: JSON's numbers lose digits of 64-bit integers.
    private static func nanoseconds(_ date: Date) -> JSONValue {
        let microseconds = UInt64(min(max(0, date.timeIntervalSince1970), 1e10) * 1e6)
        return .string("\(microseconds * 1000)")
    }
}
