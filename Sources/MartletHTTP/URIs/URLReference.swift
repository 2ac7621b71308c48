package import MartletEssentials

/// A reference that a server gave: the text of a `Location`, of a link, or of a member such as `next`.
package enum URLReference {
    /// The URL that a reference means, resolved against the URL that answered (RFC 3986 §5); nil for what is none.
    package static func resolve(_ reference: some StringProtocol, against base: URL) -> URL? {
        let trimmed = String(reference.trimmingWhitespace)
        guard !trimmed.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return nil }
        return URL(string: trimmed, relativeTo: base).flatMap { URL(string: $0.absoluteString) }
    }

    /// A URL without its fragment, which is never sent.
    package static func withoutFragment(_ url: URL) -> URL {
        guard let mark = url.absoluteString.firstIndex(of: "#") else { return url }
        return URL(string: String(url.absoluteString[..<mark])) ?? url
    }
}
