/// Which recorded request a request is.
///
/// ```swift
/// .strict                                            // the recorded order, and method, URL and body
/// .methodAndURL                                      // any order
/// .methodAndPath.repeating()                         // and as often as one likes
/// MatchingRule(.method, .url, .headers(["Accept-Language"])).ignoring("timestamp")
/// ```
///
/// Where a recording has `‹redacted›`, anything fits. JSON bodies are compared as values, forms field by field, multipart bodies whatever
/// their boundary is, and other bodies byte by byte. Of a body that is not in the recording the size is compared, if it is known.
public struct MatchingRule: Sendable {
    /// A part of a request.
    public struct Part: Sendable, Hashable {
        enum Kind: Hashable { case method, origin, path, query, body, headers([HTTPFieldName]) }

        let kinds: [Kind]

        /// The method.
        public static var method: Self { Self(kinds: [.method]) }
        /// Scheme, host and port; path; and query.
        public static var url: Self { Self(kinds: [.origin, .path, .query]) }
        /// Scheme, host and port, those that a scheme implies too.
        public static var origin: Self { Self(kinds: [.origin]) }
        /// The path, percent-encoded.
        public static var path: Self { Self(kinds: [.path]) }
        /// The items of the query. The order of different names does not count.
        public static var query: Self { Self(kinds: [.query]) }
        /// The content.
        public static var body: Self { Self(kinds: [.body]) }
        /// The fields of these names, each with all of its lines. What a transport writes itself (`Host`, `User-Agent`) is not in a
        /// request before it is sent, but may be in a recording by others.
        public static func headers(_ names: [HTTPFieldName]) -> Self { Self(kinds: [.headers(names)]) }
    }

    let kinds: [Part.Kind]
    let isInOrder: Bool
    private(set) var repeats = false
    private(set) var ignored: Set<String> = []

    /// A rule by the parts that must be equal.
    ///
    /// - Parameters:
    ///   - parts: at least one, or any request fits.
    ///   - inOrder: whether requests must come in the order of the recording. Default: no; of several entries that fit, the first that
    ///     has not been used answers.
    public init(_ parts: Part..., inOrder: Bool = false) {
        kinds = parts.flatMap(\.kinds)
        isInOrder = inOrder
    }

    /// The recorded requests in their order, with equal method, URL and body. Fields do not count.
    ///
    /// For requests that follow one another; those that run at the same time have no order, and need another rule.
    public static var strict: Self { Self(.method, .url, .body, inOrder: true) }

    /// In any order, with equal method and URL.
    public static var methodAndURL: Self { Self(.method, .url) }

    /// In any order, with equal method and path: whatever the host and the query.
    public static var methodAndPath: Self { Self(.method, .path) }

    /// And entries answer more than once: when all that fit have been used, the last of them answers again. In a rule with an order,
    /// the recording begins anew after its last entry.
    public func repeating() -> Self {
        var rule = self
        rule.repeats = true
        return rule
    }

    /// And query items, form fields and members of JSON with these names do not count: time stamps, nonces.
    public func ignoring(_ names: String...) -> Self {
        var rule = self
        rule.ignored.formUnion(names)
        return rule
    }
}
