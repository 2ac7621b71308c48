internal import MartletEssentials

/// The conditions in a request, and the validators that a cache adds to it (RFC 9111 §4.3).
enum Preconditions {
    /// Whether the request has a condition that only the server can evaluate (RFC 9111 §4.3.2).
    static func areForTheServer(_ request: HTTPFields) -> Bool { request.contains(.ifMatch) || request.contains(.ifUnmodifiedSince) }

    /// Whether the request has a condition that a cache can evaluate.
    static func arePresent(_ request: HTTPFields) -> Bool { request.contains(.ifNoneMatch) || request.contains(.ifModifiedSince) }

    /// Whether the caller already has the stored response, so that the response is a 304 (RFC 9111 §4.3.2).
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

    /// Whether the stored response has a validator.
    static func canValidate(_ response: StoredResponse) -> Bool { response.facts.tag != nil || response.facts.lastModified != nil }

    /// Returns the request's fields with the stored response's validators (RFC 9111 §4.3.1). The caller's own tags are kept.
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

    /// Whether a 304 refers to a stored response (RFC 9111 §4.3.4): its validators match, or it has none and the request had only this
    /// response's.
    static func isAbout(_ response: StoredResponse, notModified: HTTPFields, asked request: HTTPFields) -> Bool {
        if let tag = notModified[.eTag].flatMap({ EntityTag($0) }) {
            guard let stored = response.facts.tag else { return false }
            // A strong tag identifies exact bytes, which a stored response with a weak tag may not have.
            return tag.isWeak ? tag.matchesWeakly(stored) : tag == stored
        }
        // Without a tag in the 304, it refers to the stored response only if no other tag was sent.
        if let list = request[.ifNoneMatch] {
            let asked = EntityTag.list(list)
            return asked.count == 1 && response.facts.tag.map { asked[0].matchesWeakly($0) } == true
        }
        guard let modified = notModified[.lastModified] else { return true }
        return response.headers[.lastModified]?.hasSameBytes(as: modified) == true
    }
}

/// Updates a stored response after a 304, a response to HEAD, or a further part (RFC 9111 §3.2, §4.3.4, §4.3.5).
enum Freshening {
    /// Returns the stored response with the fields of a newer one for the same bytes. Fields that describe the encoding of the bytes stay.
    static func updated(
        _ response: StoredResponse, by headers: HTTPFields, requestTime: Date, responseTime: Date, _ settings: CacheSettings
    ) -> StoredResponse {
        var fresh = StorageRules.storedFields(headers, received: responseTime, settings)
        for name in kept { fresh.remove(name) }
        var fields = response.headers
        // The Age of the earlier response does not apply to the new one.
        fields.remove(.age)
        fields.replace(with: fresh)
        let control = CacheControl(fields)
        fields.remove(anyOf: StorageRules.withheldFields(control, settings))
        // If Vary now names other fields, or the response may no longer be stored, the server must validate each use.
        let isChosenOtherwise = VaryRules.names(fields) != response.variant.selectors.map(\.name)
        return response.with(
            headers: fields, requestTime: requestTime, responseTime: responseTime,
            isInvalidated: isChosenOtherwise || StorageRules.forbids(control, response.status, settings))
    }

    /// The fields that describe the stored bytes, which the new response does not contain.
    private static let kept: [HTTPFieldName] = [.contentLength, .contentEncoding, .contentRange]

    /// Whether the response to a HEAD describes the stored bytes (RFC 9111 §4.3.5).
    static func isAbout(_ response: StoredResponse, head headers: HTTPFields, bodyLength: Int64?) -> Bool {
        guard response.part == nil else { return false }
        for name in [HTTPFieldName.eTag, .lastModified] {
            if let value = headers[name], response.headers[name]?.hasSameBytes(as: value) != true { return false }
        }
        guard let length = headers[.contentLength].flatMap({ Int64($0) }), !response.wasContentCoded else { return true }
        return length == (response.headers[.contentLength].flatMap { Int64($0) } ?? bodyLength)
    }
}
