internal import MartletEssentials

extension CallTrace.Outcome: CustomStringConvertible {
    package init(_ error: HTTPError) {
        switch error {
        case .networkError(let failure): self = .network(failure.kind)
        case .timeout: self = .timeout
        case .cancelled: self = .cancelled
        case .statusCode(let response): self = .status(response.status)
        default: self = .failed(error.failureText)
        }
    }

    /// A short description of the outcome.
    public var description: String {
        switch self {
        case .status(let status): "\(status)"
        case .network(let kind): "network error \(kind.rawValue)"
        case .timeout: "timed out"
        case .cancelled: "cancelled"
        case .failed(let words): words
        }
    }
}

extension CallTrace: CustomStringConvertible {
    /// The steps, each in a line with its time since the start of the call, with secrets redacted. A line says how many were left out.
    public var description: String {
        var lines = steps.map(\.description)
        if omittedSteps > 0 { lines.insert("\(omittedSteps) steps left out", at: min(CallTrace.maxFirstSteps, lines.count)) }
        return lines.joined(separator: "\n")
    }
}

extension CallTrace.Step: CustomStringConvertible {
    /// The time since the start of the call and what happened, in one line.
    public var description: String { Redaction.visible("\(time.shortText): \(kind)") }
}

extension CallTrace.Kind: CustomStringConvertible {
    /// What happened, in one line with secrets redacted.
    public var description: String {
        switch self {
        case .attempt(let attempt): "\(attempt)"
        case .retry(let retry): "\(retry)"
        case .redirect(let redirect): "\(redirect)"
        case .renewal(let renewal): "\(renewal)"
        case .cache(let status): "cache: \(status.words)"
        case .note(let text): text
        }
    }
}

extension CallTrace.Attempt: CustomStringConvertible {
    /// The number, the request, the outcome, the duration and facts about the connection, in one line with secrets redacted.
    public var description: String {
        let end = outcome.map { "\($0) after \((duration ?? .zero).shortText)" } ?? "not ended"
        let connection = isConnectionReused.map { $0 ? "reused connection" : "new connection" }
        let facts = [version?.rawValue, connection, remoteAddress, timings?.shortText].compactMap(\.self)
        return "attempt \(number), \(request): \(end)" + (facts.isEmpty ? "" : " (\(facts.joined(separator: ", ")))")
    }
}

extension CallTrace.Retry: CustomStringConvertible {
    /// The wait and the reason, in one line.
    public var description: String { (wait.map { "retried after \($0.shortText): " } ?? "not retried: ") + reason }
}

extension CallTrace.Redirect: CustomStringConvertible {
    /// The status, the target and the removed fields, in one line with secrets redacted.
    public var description: String {
        let removed = removedFields.map(\.description).joined(separator: ", ")
        return "\(status) redirects to \(Redaction.url(target))" + (removed.isEmpty ? "" : ", without \(removed)")
    }
}

extension CallTrace.Renewal: CustomStringConvertible {
    /// Whether the credential was renewed, and how long that took.
    public var description: String {
        failure.map { "the credential was not renewed: \($0)" } ?? "the credential was renewed in \(duration.shortText)"
    }
}

extension ResponseMetadata.Timings {
    fileprivate var shortText: String? {
        let phases = [("queued", queued), ("DNS", nameLookup), ("connect", connect), ("TLS", tls), ("first byte", firstByte)]
        let parts = phases.compactMap { name, duration in duration.flatMap { $0 < .microseconds(100) ? nil : "\(name) \($0.shortText)" } }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

extension Duration {
    /// The duration in milliseconds, or in seconds from one second, as in `1.5 ms`, `120 ms` or `2.50 s`.
    package var shortText: String {
        let microseconds = max(0, components.seconds) * 1_000_000 + max(0, components.attoseconds) / 1_000_000_000_000
        switch microseconds {
        case ..<10_000: return "\(microseconds / 1_000).\(microseconds % 1_000 / 100) ms"
        case ..<1_000_000: return "\(microseconds / 1_000) ms"
        default:
            let hundredths = microseconds % 1_000_000 / 10_000
            return "\(microseconds / 1_000_000).\(hundredths < 10 ? "0" : "")\(hundredths) s"
        }
    }
}
