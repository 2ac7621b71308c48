package import MartletEssentials

/// The URL of a request, as a value or as its text. Most requests need only the text, and parsing it takes time.
package enum RequestURL: Sendable {
    case value(URL)
    /// The text of a URL. `URL(string:)` accepts it and leaves it unchanged.
    case text(String)

    /// The URL. A text is parsed at each access: read this once where it is used several times.
    package var url: URL {
        switch self {
        case .value(let url): return url
        case .text(let text):
            guard let url = URL(string: text) else { preconditionFailure("the text of a request's URL is not a URL") }
            return url
        }
    }

    var text: String {
        switch self {
        case .value(let url): url.absoluteString
        case .text(let text): text
        }
    }

    /// Creates the URL of a text that begins with the text of a URL that has a host, and continues with a path and a query. Returns nil if
    /// it is not a URL.
    ///
    /// - Parameter start: The index of the text's first byte that is not known to belong to a URL, or nil if the text must be parsed.
    package init?(_ text: String, checkedFrom start: String.Index?) {
        if let start, PercentEncoding.isLegal(text.utf8[start...]) {
            self = .text(text)
        } else if let url = URIText(text)?.url {
            self = .value(url)
        } else {
            return nil
        }
    }
}
