internal import MartletEssentials
package import MartletJSON

/// Writes calls as the inspector's page reads them (Documentation/InspectorFormat.md), with secrets masked.
package struct CallMembers: Sendable {
    let redaction: CassetteRedaction

    package init(redaction: CassetteRedaction) { self.redaction = redaction }

    /// Returns a call without its attempts, as in a HAR file.
    func recorded(_ call: LoggedCall) -> JSONValue {
        var members = members(call)
        members["stream"] = .array(JSONArray(call.events.map(event)))
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

    /// Returns an event of a stream.
    package func event(_ event: LoggedCall.Event) -> JSONValue {
        let data = redaction.body(Data(event.data.utf8), type: "", isAnswer: true)
        var members: JSONObject = [
            "at": .number(event.at), "event": .string(event.type), "data": .string(String(decoding: data, as: UTF8.self)),
        ]
        if let id = event.id { members["id"] = .string(id) }
        return .object(members)
    }

    private func members(_ call: LoggedCall) -> JSONObject {
        var members: JSONObject = [
            "id": .string("\(call.info.id)"), "revision": .integer(Int64(call.revision)), "name": .string(shown(call.info.name)),
            "method": .string(call.target?.method.rawValue ?? ""), "url": .string(call.target.map { redaction.url($0.url) } ?? ""),
            "kind": .string(call.info.kind.rawValue.lowercased()), "tags": .array(JSONArray(call.info.tags.sorted().map { .string($0) })),
            "started": .number(call.info.start.timeIntervalSince1970), "state": .string(state(call)),
            "streamCount": .integer(Int64(call.eventCount)),
        ]
        if !call.info.pathTemplate.isEmpty { members["route"] = .string(shown(call.info.pathTemplate)) }
        if let operation = call.info.operations.first {
            members["operation"] = .object(["name": .string(operation.name ?? ""), "type": .string(operation.type)])
        }
        if let status = call.status { members["status"] = .integer(Int64(status.rawValue)) }
        if let end = call.end {
            members["duration"] = .number(end.duration.inSeconds)
            if let failure = end.failure, failure != "cancelled" {
                members["error"] = .object([
                    "case": .string(failure), "stage": .string(stage(end.stage)), "text": .string(redaction.words(end.text)),
                ])
            }
        }
        let sent = call.attempts.reduce(0) { $0 + $1.sent.size }
        members["bytes"] = .object(["sent": .integer(Int64(sent)), "received": .integer(Int64(call.received))])
        if let cache = call.cache { members["cache"] = .object(["verdict": .string(cache.verdict), "text": .string(cache.text)]) }
        if let progress = progress(call) { members["progress"] = progress }
        members["timeline"] = .array(JSONArray(timeline(call)))
        if let curl = curl(call) { members["curl"] = .string(curl) }
        return members
    }

    /// Returns a name or template with the secrets of its literal query masked.
    private func shown(_ name: String) -> String { name.contains("?") ? redaction.url(name) : name }

    private func state(_ call: LoggedCall) -> String {
        guard let end = call.end else { return "running" }
        return end.failure == nil ? "succeeded" : end.failure == "cancelled" ? "cancelled" : "failed"
    }

    private func stage(_ stage: ErrorContext.Stage?) -> String {
        switch stage {
        case .request: "building"
        case .connect: "connecting"
        case .exchange: "sending"
        case .body: "receiving"
        case .some(let other): other.rawValue
        case nil: ""
        }
    }

    private func progress(_ call: LoggedCall) -> JSONValue? {
        guard call.end == nil, call.info.kind == .download, let attempt = call.attempts.last else { return nil }
        var members: JSONObject = ["done": .integer(Int64(attempt.received.size))]
        if let total = attempt.answer[.contentLength].flatMap({ Int64($0) }) { members["total"] = .integer(total) }
        return .object(members)
    }

    /// Returns a command that repeats the call, made of redacted parts.
    private func curl(_ call: LoggedCall) -> String? {
        guard let first = call.attempts.first, let url = URL(string: redaction.url(first.url)) else { return nil }
        let type = first.headers[.contentType] ?? ""
        var fields = HTTPFields()
        for field in first.headers { fields.append(field.name, redaction.value(of: field)) }
        let bytes = redaction.body(first.sent.bytes, type: type, isAnswer: false)
        let body = first.sent.size == 0 ? nil : first.sent.isTruncated ? HTTPBody { nil } : HTTPBody(bytes)
        return HTTPRequest(method: first.method, url: url, headers: fields, body: body).curl
    }

    // MARK: Timeline

    private func timeline(_ call: LoggedCall) -> [JSONValue] {
        var moments: [(at: Double, members: JSONObject)] = []
        for attempt in call.attempts {
            let number = JSONValue.integer(Int64(attempt.number))
            let text = "\(attempt.method) \(redaction.url(attempt.url))"
            moments.append((attempt.at, ["kind": .string("attempt"), "text": .string(text), "attempt": number]))
            guard let ended = attempt.ended else { continue }
            let end = attempt.at + ended.duration.inSeconds
            moments.append((end, ["kind": .string("head"), "text": .string("\(ended.outcome)"), "attempt": number]))
        }
        moments += call.steps.map(moment)
        if let end = call.end {
            let text = end.failure == nil ? "Succeeded" : redaction.words(end.text)
            moments.append((end.duration.inSeconds, ["kind": .string("end"), "text": .string(text)]))
        }
        // Sorting keeps the order of moments with the same time.
        return moments.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map { _, moment in
            var members: JSONObject = ["at": .number(moment.at)]
            for (key, value) in moment.members { members[key] = value }
            return .object(members)
        }
    }

    private func moment(_ step: CallTrace.Step) -> (at: Double, members: JSONObject) {
        let at = step.time.inSeconds
        var members: JSONObject = ["kind": .string("decision"), "text": .string(redaction.words("\(step.kind)"))]
        switch step.kind {
        case .retry(let retry):
            guard let wait = retry.wait else { break }
            members["kind"] = .string("wait")
            members["duration"] = .number(wait.inSeconds)
        case .redirect: members["kind"] = .string("redirect")
        case .renewal(let renewal):
            members["kind"] = .string("refresh")
            members["duration"] = .number(renewal.duration.inSeconds)
            return (max(0, at - renewal.duration.inSeconds), members)
        case .cache: members["kind"] = .string("cache")
        default: break
        }
        return (at, members)
    }
}

extension LoggedCall {
    /// What the last cache decided, in the words of the page.
    fileprivate var cache: (verdict: String, text: String)? {
        let status = steps.reversed().lazy.compactMap { if case .cache(let status) = $0.kind { status } else { nil } }.first
        guard let status else { return nil }
        let verdict =
            status.isStale
            ? "stale"
            : status.wasValidated
                ? "revalidated"
                : status.isHit
                    ? "hit"
                    : [.bypass, .method].contains(status.forwardReason) ? "bypassed" : "miss"
        return (verdict, status.description)
    }
}
