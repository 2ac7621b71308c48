internal import MartletEssentials
package import MartletJSON

/// Writes calls as the inspector's page reads them (Documentation/InspectorFormat.md), with secrets masked.
package struct CallMembers: Sendable {
    let redaction: CassetteRedaction
    let detail: LogDetail

    /// - Parameter detail: How much the texts of errors say. Default: everything except secrets.
    package init(redaction: CassetteRedaction, detail: LogDetail = .bodies) {
        self.redaction = redaction
        self.detail = detail
    }

    /// Returns a call without its attempts, as in a HAR file.
    func recorded(_ call: LoggedCall) -> JSONValue {
        var members = members(call)
        // Messages are in the entries, where browsers have them.
        if call.info.kind != .webSocket { members["stream"] = .array(JSONArray(call.events.map(event))) }
        return .object(members)
    }

    /// Returns a call with its attempts.
    ///
    /// - Parameter hasBodies: Whether the bodies and the events of the stream are included.
    package func value(of call: LoggedCall, hasBodies: Bool) -> JSONValue {
        var members = members(call)
        members["attempts"] = .array(JSONArray(call.attempts.map { attempt($0, call, hasBodies) }))
        if hasBodies { members["stream"] = .array(JSONArray(call.events.map(event))) }
        return .object(members)
    }

    /// Returns an event of a stream, or a message of a WebSocket.
    package func event(_ event: LoggedCall.Event) -> JSONValue {
        var members: JSONObject = ["at": .number(event.at)]
        switch event.content {
        case .event(let type, let id, let data):
            members["event"] = .string(type)
            members["data"] = .string(String(decoding: redaction.body(Data(data.utf8), type: "", isAnswer: true), as: UTF8.self))
            if let id { members["id"] = .string(id) }
        case .message(let message):
            members["event"] = .string(message.direction.rawValue)
            members[message.isText ? "data" : "base64"] = .string(message.written(redaction))
            members["size"] = .integer(Int64(message.content.size))
            if message.content.isTruncated { members["isTruncated"] = .bool(true) }
        }
        return .object(members)
    }

    private func members(_ call: LoggedCall) -> JSONObject {
        var members: JSONObject = [
            "id": .string("\(call.info.id)"), "revision": .integer(Int64(call.revision)), "name": .string(name(call)),
            "method": .string((call.target?.method ?? call.info.method)?.rawValue ?? ""),
            "url": .string(call.target.map { redaction.url($0.url) } ?? ""),
            "kind": .string(call.info.kind.rawValue.lowercased()), "tags": .array(JSONArray(call.info.tags.sorted().map { .string($0) })),
            "started": .number(call.info.start.timeIntervalSince1970), "state": .string(state(call)),
            "streamCount": .integer(Int64(call.eventCount)),
        ]
        if !call.info.pathTemplate.isEmpty { members["route"] = .string(shown(call.info.pathTemplate)) }
        members["operations"] = .array(JSONArray(call.info.operations.map(operation)))
        if let status = call.status { members["status"] = .integer(Int64(status.rawValue)) }
        if let end = call.end {
            members["duration"] = .number(end.duration.inSeconds)
            if end.failure == nil, let outcome = call.outcome { members["outcome"] = .string(outcome) }
            if let failure = end.failure, failure != "cancelled" {
                members["error"] = .object([
                    "case": .string(failure), "stage": .string(stage(end)), "text": .string(text(end)),
                ])
            }
        }
        members["bytes"] = .object(["sent": .integer(Int64(call.sent)), "received": .integer(Int64(call.received))])
        if let cache = call.cache {
            members["cache"] = .object(["verdict": .string(cache.verdict), "text": .string(redaction.words(cache.words))])
        }
        if let progress = call.progress { members["progress"] = .object(JSONObject(progress)) }
        members["timeline"] = .array(JSONArray(timeline(call)))
        if let curl = curl(call) { members["curl"] = .string(curl) }
        if let code = SwiftText(call: call, redaction: redaction).code { members["swift"] = .string(code) }
        return members
    }

    /// Returns the names of GraphQL operations, because their types are beside it, and otherwise the name of the call.
    private func name(_ call: LoggedCall) -> String {
        let names = call.info.operations.compactMap(\.name)
        return names.isEmpty || names.count < call.info.operations.count ? shown(call.info.name) : names.joined(separator: ", ")
    }

    /// Returns a name or template with the secrets of its literal query masked.
    private func shown(_ name: String) -> String { name.contains("?") ? redaction.url(name) : name }

    private func state(_ call: LoggedCall) -> String {
        guard let end = call.end else { return "running" }
        return end.failure == nil ? "succeeded" : end.failure == "cancelled" ? "cancelled" : "failed"
    }

    private func operation(_ operation: CallInfo.Operation) -> JSONValue {
        var members: JSONObject = ["type": .string(operation.type)]
        if let name = operation.name { members["name"] = .string(name) }
        return .object(members)
    }

    private func text(_ end: LoggedCall.End) -> String { redaction.words(detail == .outline ? end.outline : end.text) }

    private func stage(_ end: LoggedCall.End) -> String {
        if ["offline", "hostNotFound", "connectionRefused", "unreachable", "invalidSSLCertificate"].contains(end.failure) {
            return "connecting"
        }
        return switch end.stage {
        case .request: "building"
        case .connect: "connecting"
        case .exchange: "sending"
        case .body: "receiving"
        case .some(let other): other.rawValue
        case nil: ""
        }
    }

    /// Returns a command that repeats the call, made of redacted parts.
    private func curl(_ call: LoggedCall) -> String? {
        guard let first = call.attempts.first, let url = URL(string: redaction.url(first.url)) else { return nil }
        let type = first.headers[.contentType] ?? ""
        var fields = HTTPFields()
        // The command is not the cache's: with its validators the server would send no body.
        let validators: Set<HTTPFieldName> = call.cache == nil ? [] : [.ifNoneMatch, "If-Modified-Since"]
        for field in first.headers where !validators.contains(field.name) { fields.append(field.name, redaction.value(of: field)) }
        let bytes = redaction.body(first.sent.readable, type: type, isAnswer: false)
        let body = first.sent.size == 0 ? nil : first.sent.isTruncated ? HTTPBody { nil } : HTTPBody(bytes)
        return HTTPRequest(method: first.method, url: url, headers: fields, body: body).curl
    }

    // MARK: Timeline

    private func timeline(_ call: LoggedCall) -> [JSONValue] {
        var moments = omissions(call)
        for attempt in call.attempts {
            let number = JSONValue.integer(Int64(attempt.number))
            let text = "\(attempt.method) \(redaction.url(attempt.url))"
            moments.append((attempt.at, ["kind": .string("attempt"), "text": .string(text), "attempt": number]))
            guard let ended = attempt.ended else { continue }
            let end = attempt.at + ended.duration.inSeconds
            moments.append(
                (end, ["kind": .string("head"), "text": .string(redaction.words(detail.text(of: ended.outcome))), "attempt": number]))
        }
        moments += call.steps.compactMap(moment)
        if let end = call.end {
            let text = end.failure == nil ? call.outcome.map { "succeeded: \($0)" } ?? "succeeded" : text(end)
            moments.append((end.duration.inSeconds, ["kind": .string("end"), "text": .string(text)]))
        }
        // Sorting keeps the order of moments with the same time.
        return moments.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map { _, moment in
            var members: JSONObject = ["at": .number(moment.at)]
            for (key, value) in moment.members { members[key] = value }
            return .object(members)
        }
    }

    /// Returns where attempts and steps of a long call were left out.
    private func omissions(_ call: LoggedCall) -> [(at: Double, members: JSONObject)] {
        let omitted = [
            (call.omitted.attempts, "attempts", call.attempts.dropFirst().first?.at),
            (call.omitted.steps, "decisions", call.steps.first?.time.inSeconds),
        ]
        return omitted.compactMap { count, what, at in
            guard count > 0, let at else { return nil }
            return (at, ["kind": .string("decision"), "text": .string("\(count) earlier \(what) are left out")])
        }
    }

    /// Returns the moment of a step, or nil for a note that the detail does not show.
    private func moment(_ step: CallTrace.Step) -> (at: Double, members: JSONObject)? {
        let at = step.time.inSeconds
        var members: JSONObject = ["kind": .string("decision"), "text": .string(redaction.words("\(step.kind)"))]
        switch step.kind {
        case .retry(let retry):
            guard let wait = retry.wait else { break }
            members["kind"] = .string("wait")
            members["duration"] = .number(wait.inSeconds)
        case .redirect(let redirect):
            members["kind"] = .string("redirect")
            members["text"] = .string("\(redirect.status) redirects to \(redaction.url(redirect.target.absoluteString))")
        case .renewal(let renewal):
            members["kind"] = .string("refresh")
            members["duration"] = .number(renewal.duration.inSeconds)
            if renewal.failure != nil, detail.reason(of: renewal) == nil { members["text"] = .string(renewal.outline) }
            return (max(0, at - renewal.duration.inSeconds), members)
        case .cache(let status):
            members["kind"] = .string("cache")
            members["text"] = .string(redaction.words(status.words))
        case .note(let note):
            guard let text = detail.text(ofNote: note) else { return nil }
            members["text"] = .string(redaction.words(text))
        default: break
        }
        return (at, members)
    }

    /// Returns an attempt, with or without its bodies.
    func attempt(_ attempt: LoggedAttempt, _ call: LoggedCall, _ hasBodies: Bool) -> JSONValue {
        var members: JSONObject = [
            "number": .integer(Int64(attempt.number)), "at": .number(attempt.at), "method": .string(attempt.method.rawValue),
            "url": .string(redaction.url(attempt.url)), "phases": phases(attempt.phases, isKnown: attempt.ended != nil),
            "request": .object(message(attempt.headers, attempt.sent, isAnswer: false, hasBodies)),
            "removedFields": .array(JSONArray(attempt.removedFields(in: call).map { .string($0) })),
        ]
        if let total = attempt.total { members["duration"] = .number(total) }
        if let version = attempt.ended?.version { members["protocol"] = .string(version.rawValue) }
        if let address = attempt.ended?.address { members["address"] = .string(address) }
        if let isReused = attempt.ended?.isReused { members["reused"] = .bool(isReused) }
        if let failure = attempt.failure(detail) { members["error"] = .string(redaction.words(failure)) }
        guard let status = attempt.status else { return .object(members) }
        members["status"] = .integer(Int64(status.rawValue))
        members["response"] = .object(message(attempt.answer, attempt.received, isAnswer: true, hasBodies))
        return .object(members)
    }

    private func message(_ fields: HTTPFields, _ content: LoggedAttempt.Content, isAnswer: Bool, _ hasBodies: Bool) -> JSONObject {
        let list = fields.map { JSONValue.array([.string($0.name.rawName), .string(redaction.value(of: $0))]) }
        var members: JSONObject = ["headers": .array(JSONArray(list))]
        if hasBodies, content.size > 0 { members["body"] = body(content, fields[.contentType] ?? "", isAnswer) }
        return members
    }

    private func body(_ content: LoggedAttempt.Content, _ type: String, _ isAnswer: Bool) -> JSONValue {
        var members: JSONObject = [
            "type": .string(type), "size": .integer(Int64(content.size)), "isTruncated": .bool(content.isTruncated),
        ]
        guard !content.bytes.isEmpty else { return .object(members) }
        let written = HARContent.written(redaction.body(content.readable, type: type, isAnswer: isAnswer), type: type)
        members[written["encoding"] == nil ? "text" : "base64"] = written["text"]
        return .object(members)
    }

    private func phases(_ phases: RecordedExchange.Phases, isKnown: Bool) -> JSONValue {
        guard isKnown else { return .object([:]) }
        let connect = phases.connect.map { max(.zero, $0 - (phases.tls ?? .zero)) }
        let durations = [
            ("queued", phases.blocked), ("dns", phases.lookup), ("connect", connect), ("tls", phases.tls), ("wait", phases.wait),
            ("receive", phases.receive),
        ]
        return .object(JSONObject(durations.compactMap { name, value in value.map { (key: name, value: .number($0.inSeconds)) } }))
    }
}
