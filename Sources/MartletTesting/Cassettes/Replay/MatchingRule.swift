/// A rule that decides which recorded request matches a request.
///
/// ```swift
/// let rules: [MatchingRule] = [
///     .strict,                                            // the recorded order, and method, URL and body
///     .methodAndURL,                                      // in any order
///     .methodAndPath.repeating(),                         // and any number of times
///     MatchingRule(.method, .url, .headers(["Accept-Language"])).ignoring("timestamp"),
/// ]
/// ```
///
/// `‹redacted›` in a recording matches any text. JSON bodies are compared as values, forms field by field, multipart bodies without regard
/// to their boundary, and other bodies byte by byte. If a body is not in the recording, its size is compared if it is known.
public struct MatchingRule: Sendable {
    /// A part of a request that a rule compares.
    public struct Part: Sendable, Hashable {
        enum Kind: Hashable { case method, origin, path, query, body, headers([HTTPFieldName]) }

        let kinds: [Kind]

        /// The request method.
        public static var method: Self { Self(kinds: [.method]) }
        /// The scheme, host, port, path and query.
        public static var url: Self { Self(kinds: [.origin, .path, .query]) }
        /// The scheme, host and port, including the scheme's default port.
        public static var origin: Self { Self(kinds: [.origin]) }
        /// The path, percent-encoded.
        public static var path: Self { Self(kinds: [.path]) }
        /// The query items. The order of items with different names does not count.
        public static var query: Self { Self(kinds: [.query]) }
        /// The body.
        public static var body: Self { Self(kinds: [.body]) }
        /// The fields with these names, each with all its lines. Fields that the transport adds (`Host`, `User-Agent`) are missing in a
        /// request before it is sent, but may be in recordings of other programs.
        public static func headers(_ names: [HTTPFieldName]) -> Self { Self(kinds: [.headers(names)]) }
    }

    let kinds: [Part.Kind]
    let isInOrder: Bool
    private(set) var repeats = false
    private(set) var ignored: Set<String> = []

    /// Creates a rule from the parts that must be equal.
    ///
    /// - Parameters:
    ///   - parts: The parts. Without any, every request matches.
    ///   - inOrder: Whether requests must have the order of the recording. Default: false. If several entries match, the first unused entry
    ///     is
    ///     replayed.
    public init(_ parts: Part..., inOrder: Bool = false) {
        kinds = parts.flatMap(\.kinds)
        isInOrder = inOrder
    }

    /// Recorded order, with equal method, URL and body. Fields do not count.
    ///
    /// For sequential requests. Concurrent requests have no order and need another rule.
    public static var strict: Self { Self(.method, .url, .body, inOrder: true) }

    /// Any order, with equal method and URL.
    public static var methodAndURL: Self { Self(.method, .url) }

    /// Any order, with equal method and path. Host and query do not count.
    public static var methodAndPath: Self { Self(.method, .path) }

    /// Returns the rule with repeated use of entries: if all matching entries have been used, the last of them is replayed again. A rule in
    /// order starts again after the last entry.
    public func repeating() -> Self {
        var rule = self
        rule.repeats = true
        return rule
    }

    /// Returns the rule without comparing query items, form fields and JSON members with these names, such as timestamps and nonces.
    public func ignoring(_ names: String...) -> Self {
        var rule = self
        rule.ignored.formUnion(names)
        return rule
    }
}
