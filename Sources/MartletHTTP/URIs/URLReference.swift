package import MartletEssentials

/// URLs that come as text: a `Location`, a link, a `next` member, a raw path.
///
/// Their escapes stay, and characters that a URL can't contain are escaped. The result is the same with every version of Foundation.
package enum URLReference {
    /// Returns the URL of a reference from a server, resolved against the URL of the response (RFC 3986 §5.2). Nil for an invalid
    /// reference.
    package static func resolve(_ reference: some StringProtocol, against base: URL) -> URL? {
        guard let base = URIText(base.absoluteString) else { return nil }
        return text(of: reference)?.resolved(against: base).url
    }

    /// Returns the URL of a text with a scheme. Nil for a text that is relative or invalid.
    package static func absolute(_ reference: some StringProtocol) -> URL? {
        text(of: reference).flatMap { $0.isAbsolute ? $0.url : nil }
    }

    private static func text(of reference: some StringProtocol) -> URIText? {
        let trimmed = reference.trimmingWhitespace
        guard !trimmed.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return nil }
        return URIText(trimmed)
    }

    /// Returns a URL without its fragment, which is never sent.
    package static func withoutFragment(_ url: URL) -> URL {
        guard let mark = url.absoluteString.firstIndex(of: "#") else { return url }
        return URL(string: String(url.absoluteString[..<mark])) ?? url
    }
}
