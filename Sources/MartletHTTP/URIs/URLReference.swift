package import MartletEssentials

/// Resolves URI references from servers, such as a `Location`, a link or a `next` member.
package enum URLReference {
    /// Returns the URL of a reference, resolved against the URL of the response (RFC 3986 §5). Nil for an invalid reference.
    package static func resolve(_ reference: some StringProtocol, against base: URL) -> URL? {
        let trimmed = String(reference.trimmingWhitespace)
        guard !trimmed.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return nil }
        return URL(string: trimmed, relativeTo: base).flatMap { URL(string: $0.absoluteString) }
    }

    /// Returns a URL without its fragment, which is never sent.
    package static func withoutFragment(_ url: URL) -> URL {
        guard let mark = url.absoluteString.firstIndex(of: "#") else { return url }
        return URL(string: String(url.absoluteString[..<mark])) ?? url
    }
}
