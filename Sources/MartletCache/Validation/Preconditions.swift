/// The conditions that a request comes with, and those that a cache adds to it (RFC 9111 §4.3).
enum Preconditions {
    /// Whether the request has a condition that only the server may judge (RFC 9111 §4.3.2).
    static func areForTheServer(_ request: HTTPFields) -> Bool { request.contains(.ifMatch) || request.contains(.ifUnmodifiedSince) }

    /// Whether the request has a condition that a cache may judge.
    static func arePresent(_ request: HTTPFields) -> Bool { request.contains(.ifNoneMatch) || request.contains(.ifModifiedSince) }

    /// Whether a stored response that may be used is what the request's author has already: then the answer is 304 (RFC 9111 §4.3.2).
    static func matchNotModified(_ request: HTTPFields, for response: StoredResponse) -> Bool {
        guard response.status == .ok else { return false }
        if let list = request[.ifNoneMatch] {
            if list.trimmingWhitespace == "*" { return true }
            guard let tag = response.facts.tag else { return false }
            return EntityTag.list(list).contains { $0.matchesWeakly(tag) }
        }
        guard let text = request[.ifModifiedSince], let since = HTTPDate(text, now: response.responseTime)?.date else { return false }
        return (response.facts.lastModified ?? response.facts.date ?? response.responseTime) <= since
    }

    /// Whether there is anything to ask the server by.
    static func canValidate(_ response: StoredResponse) -> Bool { response.facts.tag != nil || response.facts.lastModified != nil }

    /// The request's fields with the stored response's validators (RFC 9111 §4.3.1). The author's own tags are asked for too.
    static func validating(_ response: StoredResponse, _ request: HTTPFields) -> HTTPFields {
        var fields = request
        if let tag = response.facts.tag {
            let own = request[.ifNoneMatch].map(EntityTag.list) ?? []
            guard !own.contains(where: { $0.text == "*" }) else { return request }
            let tags = own.contains { $0.matchesWeakly(tag) } ? own : own + [tag]
            fields[.ifNoneMatch] = tags.map(\.text).joined(separator: ", ")
            fields[.ifModifiedSince] = response.facts.lastModified == nil ? nil : response.headers[.lastModified]
        } else if request[.ifNoneMatch] == nil, response.facts.lastModified != nil {
            fields[.ifModifiedSince] = response.headers[.lastModified]
        }
        return fields
    }

    /// Whether a 304 is about a stored response (RFC 9111 §4.3.4): their validators are the same; or the 304 has none, and was asked for by
    /// the response's alone.
    static func isAbout(_ response: StoredResponse, notModified: HTTPFields, asked request: HTTPFields) -> Bool {
        if let tag = notModified[.eTag].flatMap({ EntityTag($0) }) {
            guard let stored = response.facts.tag else { return false }
            // A strong one stands for these very bytes: what has a weak one may have others.
            return tag.isWeak ? tag.matchesWeakly(stored) : tag == stored
        }
        // One tag was asked for, and it was ours: then the answer was about it.
        if let list = request[.ifNoneMatch] {
            let asked = EntityTag.list(list)
            return asked.count == 1 && response.facts.tag.map { asked[0].matchesWeakly($0) } == true
        }
        return notModified[.lastModified].map { $0 == response.headers[.lastModified] } ?? true
    }
}
