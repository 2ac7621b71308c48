#if SwiftLog
internal import Logging
internal import MartletObservation

/// The facts of a log entry as metadata: those that a span has by OpenTelemetry's conventions, with the same keys, and Martlet's own.
struct CallMetadata {
    private(set) var values = Logger.Metadata(minimumCapacity: 10)

    init(_ entry: LogEntry) {
        values["martlet.call"] = .stringConvertible(entry.number)
        if let request = entry.request { add(request, entry.call) }
        if let call = entry.call { add(call) }
        add(entry.event)
        guard entry.event.isEnd, let count = entry.request?.context.record?.count else { return }
        values["martlet.attempts"] = .stringConvertible(count)
    }

    private mutating func add(_ request: HTTPRequest, _ call: CallInfo?) {
        values["http.request.method"] = .string(HTTPConventions.method(request.method))
        if let origin = request.origin { values["server.address"] = .string(origin.host) }
        let template = HTTPConventions.template(call?.pathTemplate ?? request.context.pathTemplate)
        if !template.isEmpty { values["url.template"] = .string(RedactedNames.line(template)) }
        if call == nil { add(name: request.context.endpointName) }
    }

    private mutating func add(_ call: CallInfo) {
        add(name: call.name)
        guard call.operations.count == 1 else { return }
        values["graphql.operation.type"] = .string(call.operations[0].type)
        if let name = call.operations[0].name { values["graphql.operation.name"] = .string(name) }
    }

    private mutating func add(name: String) {
        if !name.isEmpty { values["martlet.endpoint"] = .string(RedactedNames.line(name)) }
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
