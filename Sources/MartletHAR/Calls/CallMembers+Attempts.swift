internal import MartletEssentials
internal import MartletJSON

extension CallMembers {
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
