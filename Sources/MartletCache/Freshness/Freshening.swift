internal import MartletEssentials

/// What a 304, the answer to a HEAD, or a further part changes in a stored response (RFC 9111 §3.2, §4.3.4, §4.3.5).
enum Freshening {
    /// The stored response with the fields of a newer one about the same bytes; those that tell how the bytes are written stay.
    static func updated(
        _ response: StoredResponse, by headers: HTTPFields, requestTime: Date, responseTime: Date, _ settings: CacheSettings
    ) -> StoredResponse {
        var fresh = StorageRules.storedFields(headers, received: responseTime, settings)
        for name in kept { fresh.remove(name) }
        var fields = response.headers
        // What it was aged by on its way before says nothing of the way that it was validated by.
        fields.remove(.age)
        fields.replace(with: fresh)
        let control = CacheControl(fields)
        fields.remove(anyOf: StorageRules.withheldFields(control, settings))
        // Chosen by fields that nobody has looked at, or not to be kept by now: the server has to be asked each time.
        let isChosenOtherwise = VaryRules.names(fields) != response.variant.selectors.map(\.name)
        return response.with(
            headers: fields, requestTime: requestTime, responseTime: responseTime,
            isInvalidated: isChosenOtherwise || StorageRules.forbids(control, response.status, settings))
    }

    /// The fields that belong to the bytes, which have not come anew.
    private static let kept: [HTTPFieldName] = [.contentLength, .contentEncoding, .contentRange]

    /// Whether the answer to a HEAD is about the stored bytes (RFC 9111 §4.3.5).
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
    /// The response with some of it replaced.
    func with(
        id: String? = nil, headers: HTTPFields? = nil, requestTime: Date? = nil, responseTime: Date? = nil, part: Part?? = nil,
        isInvalidated: Bool? = nil
    ) -> StoredResponse {
        StoredResponse(
            id: id ?? self.id, key: key, variant: variant, status: status, headers: headers ?? self.headers,
            requestTime: requestTime ?? self.requestTime, responseTime: responseTime ?? self.responseTime, part: part ?? self.part,
            wasContentCoded: wasContentCoded, isInvalidated: isInvalidated ?? self.isInvalidated)
    }
}
