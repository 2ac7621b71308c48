#if SwiftLog
internal import Logging
internal import MartletObservation

/// The facts of a log entry as metadata: those that a span has by OpenTelemetry's conventions, with the same keys, and Martlet's own.
struct CallMetadata {
    private(set) var values = Logger.Metadata(minimumCapacity: 10)

    init(_ entry: LogEntry) {
        values["martlet.call"] = .stringConvertible(entry.number)
        if let method = entry.request?.method ?? entry.call?.method {
            values["http.request.method"] = .string(HTTPConventions.method(method))
        }
        if let origin = entry.request?.origin { values["server.address"] = .string(origin.host) }
        let template = entry.call?.pathTemplate ?? entry.request?.context.pathTemplate ?? ""
        add(RedactedNames.line(HTTPConventions.template(template)), "url.template")
        add(RedactedNames.line(entry.call?.name ?? entry.request?.context.endpointName ?? ""), "martlet.endpoint")
        if let call = entry.call, call.operations.count == 1 {
            add(call.operations[0].type, "graphql.operation.type")
            add(call.operations[0].name ?? "", "graphql.operation.name")
        }
        add(entry.event)
        guard entry.event.isEnd, let count = entry.request?.context.record?.count else { return }
        values["martlet.attempts"] = .stringConvertible(count)
    }

    private mutating func add(_ text: String, _ key: String) {
        if !text.isEmpty { values[key] = .string(text) }
    }

    private mutating func add(_ event: LogEntry.Event) {
        switch event {
        case .response(let status, let time), .head(let status, let time): add(status, time)
        case .attempt(let number): values["martlet.attempt"] = .stringConvertible(number)
        case .end(let time): add(nil, time)
        case .failure(let error, let time):
            add(error.causingStatus, time)
            values["error.type"] = .string(HTTPConventions.errorType(error))
        default: break
        }
    }

    private mutating func add(_ status: HTTPStatus?, _ time: Duration) {
        if let status { values["http.response.status_code"] = .stringConvertible(status.rawValue) }
        values["martlet.duration"] = .stringConvertible(time / .seconds(1))
    }
}

extension LogEntry.Event {
    /// Whether the call has ended.
    fileprivate var isEnd: Bool {
        switch self {
        case .response, .end, .failure: true
        default: false
        }
    }
}
#endif
