internal import MartletEssentials

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
            if let value = headers[name], value != response.headers[name] { return false }
        }
        guard let length = headers[.contentLength].flatMap({ Int64($0) }), !response.wasContentCoded else { return true }
        return length == (response.headers[.contentLength].flatMap { Int64($0) } ?? bodyLength)
    }
}

extension StoredResponse {
    /// Returns the response with some properties replaced.
    func with(
        id: String? = nil, key: CacheKey? = nil, headers: HTTPFields? = nil, requestTime: Date? = nil, responseTime: Date? = nil,
        part: Part?? = nil,
        isInvalidated: Bool? = nil
    ) -> StoredResponse {
        StoredResponse(
            id: id ?? self.id, key: key ?? self.key, variant: variant, status: status, headers: headers ?? self.headers,
            requestTime: requestTime ?? self.requestTime, responseTime: responseTime ?? self.responseTime, part: part ?? self.part,
            wasContentCoded: wasContentCoded, isInvalidated: isInvalidated ?? self.isInvalidated)
    }
}
