internal import MartletClient
internal import MartletEssentials
internal import MartletHTTP

/// Names and attributes of spans after OpenTelemetry's semantic conventions for HTTP clients: see ``HTTPConventions``.
///
/// Names that begin with `martlet.` are not of the conventions.
enum SpanAttributes {
    /// Attributes in a list, of which the tracer makes what it needs: a list takes 1,000 instructions, a dictionary 5,000.
    typealias Attributes = [(key: String, value: SpanValue)]

    /// Returns the name of an attempt: the method and the template, or the method alone.
    static func name(_ request: HTTPRequest, template: String) -> String {
        let method = HTTPConventions.isKnown(request.method) ? request.method.rawValue : "HTTP"
        return template.isEmpty ? method : "\(method) \(HTTPConventions.template(template))"
    }

    /// Returns the attributes of a call at its start.
    static func call(_ call: CallInfo, _ request: HTTPRequest?) -> Attributes {
        var attributes = request.map { self.request($0, template: call.pathTemplate, .outline) } ?? target(call.method, call.pathTemplate)
        attributes.append(("martlet.call.kind", .string(call.kind.rawValue)))
        if !call.tags.isEmpty { attributes.append(("martlet.call.tags", .strings(call.tags.sorted()))) }
        if let operation = call.operations.first, call.operations.count == 1 {
            attributes.append(("graphql.operation.type", .string(operation.type)))
            if let name = operation.name { attributes.append(("graphql.operation.name", .string(name))) }
        }
        return attributes
    }

    /// Returns the attributes of an attempt at its start.
    ///
    /// The conventions require `url.full`, but it contains what a log may not.
    static func request(_ request: HTTPRequest, template: String, _ detail: LogDetail) -> Attributes {
        var attributes = target(request.method, template)
        if let url = detail.text(of: request.url) { attributes.append(("url.full", .string(url))) }
        if let origin = request.origin {
            attributes.append(("server.address", .string(origin.host)))
            if let port = origin.port { attributes.append(("server.port", .int(Int64(port)))) }
            attributes.append(("url.scheme", .string(origin.scheme)))
        }
        return attributes
    }

    /// Returns the attributes that are known without a URL.
    private static func target(_ method: HTTPMethod?, _ template: String) -> Attributes {
        var attributes: Attributes = []
        attributes.reserveCapacity(8)
        if let method {
            attributes.append(("http.request.method", .string(HTTPConventions.method(method))))
            if !HTTPConventions.isKnown(method) {
                attributes.append(("http.request.method_original", .string(Redaction.line(method.rawValue, limit: 40))))
            }
        }
        if !template.isEmpty { attributes.append(("url.template", .string(HTTPConventions.template(template)))) }
        return attributes
    }

    /// Returns the attributes of an attempt at its end.
    static func result(_ attempt: CallTrace.Attempt) -> Attributes {
        var attributes: Attributes = []
        attributes.reserveCapacity(4)
        if case .status(let status)? = attempt.outcome { attributes.append(("http.response.status_code", .int(Int64(status.rawValue)))) }
        if let version = attempt.version { attributes.append(("network.protocol.version", .string(String(version.rawValue.dropFirst(5))))) }
        if let address = attempt.remoteAddress { attributes.append(("network.peer.address", .string(address))) }
        if let isReused = attempt.isConnectionReused { attributes.append(("martlet.connection.reused", .bool(isReused))) }
        if let type = attempt.outcome.flatMap({ HTTPConventions.errorType($0, named: attempt.errorName) }) {
            attributes.append(("error.type", .string(type)))
        }
        return attributes
    }

    /// Returns why an attempt failed, empty if its attributes say it, or nil if it did not fail.
    static func failure(_ outcome: CallTrace.Outcome?, _ detail: LogDetail) -> String? {
        guard let outcome, HTTPConventions.errorType(outcome) != nil else { return nil }
        return detail.explanation(of: outcome)
    }

    /// Returns the attributes of a call at its end.
    static func outcome(_ outcome: CallOutcome) -> Attributes {
        var attributes: Attributes = []
        if let status = HTTPConventions.status(outcome) { attributes.append(("http.response.status_code", .int(Int64(status.rawValue)))) }
        if let type = HTTPConventions.errorType(outcome) { attributes.append(("error.type", .string(type))) }
        return attributes
    }

    /// Returns the name and the attributes of the event for a step, or nil for a note that the detail does not show.
    static func event(_ kind: CallTrace.Kind, _ detail: LogDetail) -> (name: String, attributes: [String: SpanValue])? {
        switch kind {
        case .attempt(let attempt):
            // An attempt of another call whose response this call shares.
            return ("martlet.shared_attempt", Dictionary(result(attempt)) { $1 })
        case .retry(let retry):
            var attributes: [String: SpanValue] = ["martlet.reason": .string(Redaction.text(retry.reason))]
            if let wait = retry.wait { attributes["martlet.wait"] = .double(wait / .seconds(1)) }
            return (retry.wait == nil ? "martlet.no_retry" : "martlet.retry", attributes)
        case .redirect(let redirect):
            var attributes: [String: SpanValue] = ["http.response.status_code": .int(Int64(redirect.status.rawValue))]
            if let url = detail.text(of: redirect.target) { attributes["url.full"] = .string(url) }
            if !redirect.removedFields.isEmpty {
                attributes["martlet.removed_fields"] = .strings(redirect.removedFields.map(\.canonicalName))
            }
            return ("martlet.redirect", attributes)
        case .renewal(let renewal):
            var attributes: [String: SpanValue] = ["martlet.duration": .double(renewal.duration / .seconds(1))]
            if let failure = detail.reason(of: renewal) { attributes["martlet.reason"] = .string(failure) }
            let isRenewed = renewal.followsRejection, isMissing = renewal.failure != nil
            return ("martlet.credential_" + (isMissing ? "not_" : "") + (isRenewed ? "renewed" : "obtained"), attributes)
        case .cache(let status): return ("martlet.cache", ["martlet.cache.status": .string("\(status)")])
        case .note(let note): return detail.text(ofNote: note).map { ("martlet.note", ["martlet.note": .string($0)]) }
        }
    }
}
