package import MartletEssentials

extension Redaction {
    /// The longest body that is read as JSON for a text, in bytes.
    package static let maxJSONLength = 1 << 18

    /// Returns the start of a body as text with secrets masked. A body that can't be read structurally is shown as type and length.
    ///
    /// - Parameters:
    ///   - type: The value of `Content-Type`.
    ///   - limit: The maximum number of code points.
    ///   - isStart: Whether `body` is only the start of one.
    package static func body(_ body: Data, type: String?, limit: Int = 200, isStart: Bool = false) -> String {
        if let text = readable(body, type: type, limit: limit * 20, shown: limit, isStart: isStart) {
            return cut(text, limit, wasCut: isStart)
        }
        let essence = type.flatMap { MediaType($0) }?.essence ?? "no type"
        return "<\(cut(essence, 100)), \(isStart ? "more than " : "")\(body.count) bytes>"
    }

    /// Returns a body with its secrets masked: JSON and forms by member names; text of the types below, or without a type, as prose. Nil
    /// for other types, and for truncated or invalid JSON.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of bytes that are read of a body that is not JSON.
    ///   - shown: The number of code points that are shown. What follows may be left out, and is then not masked.
    package static func readable(_ body: Data, type: String?, limit: Int, shown: Int = .max, isStart: Bool = false) -> String? {
        let media = type.flatMap { MediaType($0) }, isTyped = type?.isEmpty == false
        let count = media?.isJSON == true || !isTyped ? max(limit, maxJSONLength) : limit
        let isCut = isStart || body.count > count
        // A text in UTF-16 contains zeros, which would prevent names from being recognised.
        let read = body.count > count || isStart ? body.prefix(count).droppingPartialScalar : body
        guard let text = String(validUTF8: read), !text.utf8.contains(0) else { return nil }
        if media?.isJSON == true { return isCut ? nil : Redactor().json(text, limit: shown) }
        if media?.essence == "application/x-www-form-urlencoded" { return Redactor().form(text, limit: shown) }
        return isTyped && !textTypes.contains(media?.essence ?? "") ? nil : Redactor().text(text, isCut: isCut, limit: shown)
    }

    /// The media types that are shown as text with likely secrets masked.
    private static let textTypes: Set = ["text/plain", "text/event-stream", "application/x-ndjson"]
}

extension Data {
    /// The bytes without a truncated UTF-8 character at the end.
    fileprivate var droppingPartialScalar: Data {
        guard let lead = lastIndex(where: { $0 & 0b1100_0000 != 0b1000_0000 }), endIndex - lead <= 4, self[lead] >= 0b1100_0000 else {
            return self
        }
        let wanted = self[lead] >= 0b1111_0000 ? 4 : self[lead] >= 0b1110_0000 ? 3 : 2
        return endIndex - lead < wanted ? self[..<lead] : self
    }
}
