internal import MartletClient
internal import MartletEssentials
internal import MartletHTTP

/// Names and attributes of spans after OpenTelemetry's semantic conventions for HTTP clients, version 1.38.
///
/// Names that begin with `martlet.` are not of the conventions.
enum SpanAttributes {
    typealias Attributes = [String: SpanValue]

    /// Returns the name of an attempt: the method and the template, or the method alone.
    static func name(_ request: HTTPRequest, template: String) -> String {
        let method = isKnown(request.method) ? request.method.rawValue : "HTTP"
        return template.isEmpty ? method : "\(method) \(path(template))"
    }

    /// Returns the attributes of a call at its start.
    static func call(_ call: CallInfo, _ request: HTTPRequest?) -> Attributes {
        var attributes: Attributes = ["martlet.call.kind": .string(call.kind.rawValue)]
        if let request {
            attributes.merge(self.request(request, template: call.pathTemplate, .outline)) { _, new in new }
        } else {
            attributes.merge(self.target(call.method, template: call.pathTemplate)) { _, new in new }
        }
        if !call.tags.isEmpty { attributes["martlet.call.tags"] = .strings(call.tags.sorted()) }
        if let operation = call.operations.first, call.operations.count == 1 {
            attributes["graphql.operation.type"] = .string(operation.type)
            if let name = operation.name { attributes["graphql.operation.name"] = .string(name) }
        }
        return attributes
    }

    /// Returns the attributes of an attempt at its start.
    ///
    /// The conventions require `url.full`, but it contains what a log may not.
    static func request(_ request: HTTPRequest, template: String, _ detail: LogDetail) -> Attributes {
        var attributes: Attributes = [:]
        if let url = detail.text(of: request.url) { attributes["url.full"] = .string(url) }
        if let origin = request.origin {
            attributes["server.address"] = .string(origin.host)
            if let port = origin.port { attributes["server.port"] = .int(Int64(port)) }
            attributes["url.scheme"] = .string(origin.scheme)
        }
        return attributes.merging(target(request.method, template: template)) { _, new in new }
    }

    /// Returns the attributes that are known without a URL.
    private static func target(_ method: HTTPMethod?, template: String) -> Attributes {
        var attributes: Attributes = [:]
        if let method {
            attributes["http.request.method"] = .string(isKnown(method) ? method.rawValue : "_OTHER")
            if !isKnown(method) { attributes["http.request.method_original"] = .string(Redaction.line(method.rawValue, limit: 40)) }
        }
        if !template.isEmpty { attributes["url.template"] = .string(path(template)) }
        return attributes
    }

    /// Returns the attributes of an attempt at its end.
    static func result(_ attempt: CallTrace.Attempt) -> Attributes {
        var attributes: Attributes = [:]
        if case .status(let status)? = attempt.outcome { attributes["http.response.status_code"] = .int(Int64(status.rawValue)) }
        if let version = attempt.version { attributes["network.protocol.version"] = .string(String(version.rawValue.dropFirst(5))) }
        if let address = attempt.remoteAddress { attributes["network.peer.address"] = .string(address) }
        if let isReused = attempt.isConnectionReused { attributes["martlet.connection.reused"] = .bool(isReused) }
        if let type = attempt.outcome.flatMap({ errorType($0, named: attempt.errorName) }) { attributes["error.type"] = .string(type) }
        return attributes
    }

    /// Returns why an attempt failed, empty if its attributes say it, or nil if it did not fail.
    static func failure(_ outcome: CallTrace.Outcome?, _ detail: LogDetail) -> String? {
        guard let outcome, errorType(outcome) != nil else { return nil }
        return detail.explanation(of: outcome)
    }

    /// Returns the attributes of a call at its end.
    static func outcome(_ outcome: CallOutcome) -> Attributes {
        var attributes: Attributes = [:]
        let status: HTTPStatus?
        switch outcome {
        case .success(let response): status = response?.status
        case .failure(let error): status = error.causingStatus
        }
        if let status { attributes["http.response.status_code"] = .int(Int64(status.rawValue)) }
        if let type = errorType(outcome) { attributes["error.type"] = .string(type) }
        return attributes
    }

    /// Returns the name and the attributes of the event for a step, or nil for a note that the detail does not show.
    static func event(_ kind: CallTrace.Kind, _ detail: LogDetail) -> (name: String, attributes: Attributes)? {
        switch kind {
        case .attempt(let attempt):
            // An attempt of another call whose response this call shares.
            return ("martlet.shared_attempt", result(attempt))
        case .retry(let retry):
            var attributes: Attributes = ["martlet.reason": .string(retry.reason)]
            if let wait = retry.wait { attributes["martlet.wait"] = .double(wait / .seconds(1)) }
            return (retry.wait == nil ? "martlet.no_retry" : "martlet.retry", attributes)
        case .redirect(let redirect):
            var attributes: Attributes = ["http.response.status_code": .int(Int64(redirect.status.rawValue))]
            if let url = detail.text(of: redirect.target) { attributes["url.full"] = .string(url) }
            if !redirect.removedFields.isEmpty {
                attributes["martlet.removed_fields"] = .strings(redirect.removedFields.map(\.canonicalName))
            }
            return ("martlet.redirect", attributes)
        case .renewal(let renewal):
            var attributes: Attributes = ["martlet.duration": .double(renewal.duration / .seconds(1))]
            if let failure = detail.reason(of: renewal) { attributes["martlet.reason"] = .string(failure) }
            let isRenewed = renewal.followsRejection, isMissing = renewal.failure != nil
            return ("martlet.credential_" + (isMissing ? "not_" : "") + (isRenewed ? "renewed" : "obtained"), attributes)
        case .cache(let status): return ("martlet.cache", ["martlet.cache.status": .string("\(status)")])
        case .note(let note): return detail.text(ofNote: note).map { ("martlet.note", ["martlet.note": .string($0)]) }
        }
    }

    private static func isKnown(_ method: HTTPMethod) -> Bool { HTTPMethod.standard.contains(method) }

    private static func path(_ template: String) -> String { template.hasPrefix("/") ? template : "/" + template }
}

extension SpanAttributes {
    /// Returns `error.type` of an attempt, or nil if it succeeded: a status from 400 on, the kind of the failure, the name of another
    /// error, or `_OTHER` if that is not known.
    static func errorType(_ outcome: CallTrace.Outcome, named name: String? = nil) -> String? {
        switch outcome {
        case .status(let status): status.rawValue >= 400 ? "\(status.rawValue)" : nil
        case .network(let kind): kind.rawValue
        case .timeout: "timeout"
        case .cancelled: "cancelled"
        case .failed: name ?? "_OTHER"
        }
    }

    /// Returns `error.type` of a call, or nil if it succeeded: a status, the kind of a network failure, or the name of the error's case.
    static func errorType(_ outcome: CallOutcome) -> String? {
        guard case .failure(let error) = outcome else { return nil }
        if case .statusCode(let response) = error { return "\(response.status.rawValue)" }
        return error.caseName
    }
}
