/// A rule that decides which entry of a recording is replayed for a request.
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
    enum Part: Hashable { case method, origin, path, query, body, headers([HTTPFieldName]) }

    let parts: [Part]
    private(set) var isInOrder = false
    private(set) var repeats = false
    private(set) var ignored: Set<String> = []

    private init(parts: Part...) { self.parts = parts }

    /// Creates a rule that requires everything that the given rules require, such as `.method` and `.path`. It repeats entries if one of
    /// the rules does, and ignores the names that any of them ignores.
    ///
    /// - Parameters:
    ///   - rules: The rules. Without any, every request matches.
    ///   - inOrder: Whether requests must have the order of the recording. Default: false, only if one of the rules requires it, such as
    ///     ``strict``. Without an order, the first unused one of several matching entries is replayed.
    public init(_ rules: MatchingRule..., inOrder: Bool = false) {
        parts = rules.flatMap(\.parts)
        isInOrder = inOrder || rules.contains(where: \.isInOrder)
        repeats = rules.contains(where: \.repeats)
        ignored = rules.reduce(into: []) { $0.formUnion($1.ignored) }
    }

    // MARK: Parts

    /// Requires an equal method.
    public static var method: Self { Self(parts: .method) }
    /// Requires an equal scheme, host, port, path and query.
    public static var url: Self { Self(parts: .origin, .path, .query) }
    /// Requires an equal scheme, host and port, including the scheme's default port.
    public static var origin: Self { Self(parts: .origin) }
    /// Requires an equal path, percent-encoded.
    public static var path: Self { Self(parts: .path) }
    /// Requires equal query items, whatever the order of items with different names.
    public static var query: Self { Self(parts: .query) }
    /// Requires an equal body, compared by its content type.
    public static var body: Self { Self(parts: .body) }
    /// Requires equal header fields with these names, each with all its lines. Fields that the transport adds (`Host`, `User-Agent`) are
    /// missing in a request before it is sent, but may be in recordings of other programs.
    public static func headers(_ names: [HTTPFieldName]) -> Self { Self(parts: .headers(names)) }

    // MARK: Common rules

    /// Requires the recorded order of requests, with equal method, URL and body. Fields do not count.
    ///
    /// For sequential requests. Concurrent requests have no order and need another rule.
    public static var strict: Self { Self(.method, .url, .body, inOrder: true) }

    /// Allows any order of requests, with equal method and URL.
    public static var methodAndURL: Self { Self(.method, .url) }

    /// Allows any order of requests, with equal method and path, whatever the host and the query.
    public static var methodAndPath: Self { Self(.method, .path) }

    /// Returns the rule with repeated use of entries, so that the last matching entry is replayed again after all were used. A rule in
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
