internal import MartletEssentials

extension LoggedCall {
    /// What the last cache decided.
    var cache: CacheStatus? { steps.reversed().lazy.compactMap { if case .cache(let status) = $0.kind { status } else { nil } }.first }

    /// What the caller got, in a few words, or nil if it is not known.
    var outcome: String? {
        switch info.kind {
        case .request:
            guard let type = info.valueType else { return nil }
            if type == Void.self || type == EmptyResponse.self { return "no value" }
            return type == Data.self || type == Data?.self ? "the body as Data" : "decoded \(typeName(type))"
        case .stream: return "the body was read to its end"
        case .events: return eventCount == 1 ? "1 event" : "\(eventCount) events"
        case .download: return "saved to a file"
        case .upload: return "uploaded"
        default: return nil
        }
    }

    /// The members of the progress of a running transfer: `done`, and `total` if it is known. Nil for other calls.
    var progress: [String: JSONValue]? {
        guard end == nil, let attempt = attempts.last else { return nil }
        if info.kind == .upload { return uploadProgress }
        guard info.kind == .download || info.kind == .stream else { return nil }
        let range = attempt.status == .partialContent ? attempt.answer["Content-Range"].flatMap { ContentRange($0) } : nil
        let start = range?.bounds?.lowerBound ?? 0
        var members: [String: JSONValue] = ["done": .integer(start + Int64(attempt.received.size))]
        // The length of a coded body is not that of the decoded one.
        let length = attempt.wasContentCoded ? nil : attempt.answer[.contentLength].flatMap { Int64($0) }
        if let total = range?.total ?? length.map({ start + $0 }) { members["total"] = .integer(total) }
        return info.kind == .stream && members["total"] == nil ? nil : members
    }

    /// The offset that the server confirmed last, and the length that the first request announced (tus 1.0).
    private var uploadProgress: [String: JSONValue] {
        let offset = attempts.reversed().lazy.compactMap { $0.answer["Upload-Offset"].flatMap { Int64($0) } }.first
        var members: [String: JSONValue] = ["done": .integer(offset ?? 0)]
        let total = attempts.lazy.compactMap { $0.headers["Upload-Length"].flatMap { Int64($0) } }.first
        if let total { members["total"] = .integer(total) }
        return members
    }
}

/// Returns the name of a type in the notation of source code: `[Bird]` for an array, `Bird?` for an optional.
func typeName(_ type: Any.Type) -> String {
    var name = "\(type)", suffix = ""
    while name.hasPrefix("Optional<"), name.hasSuffix(">") {
        name = String(name.dropFirst(9).dropLast())
        suffix += "?"
    }
    guard name.hasPrefix("Array<"), name.hasSuffix(">") else { return name + suffix }
    return "[\(name.dropFirst(6).dropLast())]" + suffix
}

extension CacheStatus {
    /// The verdict, in the words of the page.
    var verdict: String {
        if isStale { return "stale" }
        if wasValidated { return "revalidated" }
        if isHit { return "hit" }
        return [.bypass, .method].contains(forwardReason) ? "bypassed" : "miss"
    }
}
