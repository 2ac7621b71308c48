internal import MartletEssentials
internal import MartletJSON

extension LoggedAttempt {
    /// The entry of the attempt, with the members of the inspector's format.
    func entry(of call: LoggedCall, _ writing: HARWriting, _ detail: LogDetail) -> String {
        writing.entry(exchange(of: call, detail)) { members in
            members["_call"] = .string("\(call.info.id)")
            members["_attempt"] = .integer(Int64(number))
            members["_at"] = .number(at)
            if let isReused = ended?.isReused { members["_reused"] = .bool(isReused) }
            if let failure = failure(detail) { members["_error"] = .string(writing.redaction.words(failure)) }
            members["_removedFields"] = .array(JSONArray(removedFields(in: call).map { .string($0) }))
            if let messages = call.messages(of: self, writing.redaction) {
                members["_resourceType"] = .string("websocket")
                members["_webSocketMessages"] = messages
            }
            if sent.isTruncated { members.change("request") { $0.change("postData") { $0["_isTruncated"] = .bool(true) } } }
            guard received.isTruncated else { return }
            members.change("response") { response in
                response.change("content") { content in
                    content["_isTruncated"] = .bool(true)
                    content["size"] = .integer(Int64(received.size))
                }
            }
        }
    }

    private func exchange(of call: LoggedCall, _ detail: LogDetail) -> RecordedExchange {
        var exchange = RecordedExchange(
            started: Date(timeIntervalSince1970: call.info.start.timeIntervalSince1970 + at), method: method, url: url, headers: headers,
            requestBody: sent.recorded)
        exchange.phases = phases
        exchange.remoteAddress = ended?.address
        if let status {
            exchange.answer = RecordedExchange.Answer(
                status: status, version: ended?.version, headers: answer, trailers: trailers, body: received.recorded,
                wasContentCoded: wasContentCoded)
        }
        switch ended?.outcome {
        case .network(let kind): exchange.failure = .networkError(NetworkFailure(kind))
        case .timeout: exchange.failure = .timeout
        case .cancelled: exchange.failure = .cancelled
        case .failed(_)?: exchange.failure = .networkError(NetworkFailure(.other, failure(detail) ?? ""))
        default: break
        }
        return exchange
    }

    /// The text of a failed outcome, or nil.
    func failure(_ detail: LogDetail) -> String? {
        switch ended?.outcome {
        case .status, nil: nil
        case .some(let outcome): detail.text(of: outcome)
        }
    }

    /// The seconds from the start of the attempt to the end of its body, or nil while it is running.
    var total: Double? {
        guard let ended else { return nil }
        return max(ended.duration.inSeconds, ended.timings?.total?.inSeconds ?? 0, (lastBytes ?? 0) - at)
    }

    /// The names of the fields that the last attempt had and this one lacks, because a redirect to another origin is between them.
    ///
    /// The redirect itself only knows the fields of the caller. Interceptors also leave out what they would add for the first origin.
    func removedFields(in call: LoggedCall) -> [String] {
        guard let before = call.attempts.last(where: { $0.number < number }) else { return [] }
        let redirect = call.steps.last { step in
            if case .redirect = step.kind { step.time.inSeconds >= before.at && step.time.inSeconds <= at } else { false }
        }
        guard case .redirect(let found) = redirect?.kind, Origin(found.source) != Origin(found.target) else { return [] }
        var names = found.removedFields
        for field in before.headers where !headers.contains(field.name) && !names.contains(field.name) { names.append(field.name) }
        return names.map(\.rawName)
    }

    /// The phases that the transport measured, and otherwise what can be observed from outside. They add up to ``total``.
    var phases: RecordedExchange.Phases {
        var phases = RecordedExchange.Phases()
        guard let ended, let total else { return phases }
        let timings = ended.timings ?? .init()
        phases.blocked = timings.queued
        phases.lookup = timings.nameLookup
        phases.tls = timings.tls
        phases.connect = timings.connect.map { $0 + (timings.tls ?? .zero) } ?? timings.tls
        let before = (phases.lookup ?? .zero) + (phases.connect ?? .zero)
        phases.wait = max(.zero, (timings.firstByte ?? (ended.duration - (phases.blocked ?? .zero))) - before)
        // With some transports, the first byte is counted from before the time in the queue.
        let end = Duration.seconds(total)
        if phases.head > end { phases.wait = max(.zero, phases.wait - (phases.head - end)) }
        phases.receive = max(.zero, end - phases.head)
        return phases
    }
}

extension LoggedAttempt.Content {
    fileprivate var recorded: RecordedExchange.Body {
        if !isTruncated { return .bytes(bytes) }
        return bytes.isEmpty ? .missing(size: size) : .start(readable)
    }
}

extension JSONObject {
    /// Changes a member that is an object.
    fileprivate mutating func change(_ name: String, _ change: (inout JSONObject) -> Void) {
        guard case .object(var object) = self[name] else { return }
        change(&object)
        self[name] = .object(object)
    }
}
