public import MartletEssentials

/// The path of a request, relative to the base URL. Interpolated values can't change its structure.
///
/// ```swift
/// let path: Path = "users/\(name)/posts"   // name = "../admin" gives users/..%2Fadmin/posts
/// ```
///
/// Each interpolation becomes one segment, in which every character except the unreserved ones of RFC 3986 §2.3 is escaped. Literal parts
/// are not escaped, and a `?` in them starts the query. A leading slash does not leave the path of the base URL.
///
/// A call with an invalid path throws `.invalidURL`; creating the path never traps. A path is invalid if a segment is `.` or `..` (also
/// when escaped), if a value is empty or contains control characters, or if the literal contains a `#`, starts with `//` or is an absolute
/// URL. Inside the query, a value may be empty.
public struct Path: Sendable, Hashable, CustomStringConvertible {
    /// The percent-encoded path, with its query.
    public let text: String
    /// The path with `{}` in place of each interpolated value. Logs and metrics group calls by it.
    public let template: String
    /// The reason why a call with this path throws `.invalidURL`, or nil if the path is valid.
    public let problem: String?

    /// Creates a path from segments, each of which is escaped.
    public init(segments: [String]) {
        var builder = StringInterpolation(literalCapacity: 0, interpolationCount: segments.count)
        for (index, segment) in segments.enumerated() {
            if index > 0 { builder.appendLiteral("/") }
            builder.appendInterpolation(segment)
        }
        self.init(stringInterpolation: builder)
    }

    /// Creates a path from text that is already percent-encoded, with an optional query.
    ///
    /// Its escapes and delimiters stay as they are. Only a character that a URL can't contain, such as `[`, is escaped. The text is invalid
    /// only if it contains a control character, a space, a `#` or a character that is not ASCII. Don't pass text that a user typed.
    public init(raw text: String) {
        let legal = PercentEncoding.escapeIllegal(text)
        self.init(text: legal, template: legal, problem: Path.problem(inRaw: text))
    }

    /// Creates a path from text that is already percent-encoded, with a template that does not come from it, such as the name of an
    /// operation. The text is checked as a literal is.
    package init(raw text: String, template: String) {
        let checked = Path(stringLiteral: text)
        self.init(text: checked.text, template: template, problem: checked.problem ?? Path.problem(inRaw: text))
    }

    /// The percent-encoded path, with its query.
    public var description: String { text }

    /// Returns whether two paths have the same text, apart from leading slashes, as `users` and `/users` do, and the same problem or none.
    public static func == (left: Self, right: Self) -> Bool { left.sent == right.sent && left.problem == right.problem }

    /// Hashes the path as it is sent.
    public func hash(into hasher: inout Hasher) { hasher.combine(sent) }

    /// The text without leading slashes, as it follows the base URL. A path of slashes only stays: it ends the base URL with one.
    private var sent: Substring {
        let relative = text.drop { $0 == "/" }
        return relative.isEmpty || relative.first == "?" ? text[...] : relative
    }

    private init(text: String, template: String, problem: String?) {
        self.text = text
        self.template = template
        self.problem = problem
    }
}

extension Path: ExpressibleByStringInterpolation {
    /// Creates a path from a literal without interpolated values.
    public init(stringLiteral value: String) {
        let text = PercentEncoding.escapeIllegal(value)
        self.init(text: text, template: text, problem: Path.problem(inLiteral: value) ?? Path.problem(inSegments: text))
    }

    /// Creates a path from a literal with interpolated values, each of which is escaped.
    public init(stringInterpolation: StringInterpolation) {
        let built = stringInterpolation
        let dots = built.isRaw ? nil : Path.problem(inSegments: built.text)
        self.init(text: built.text, template: built.template, problem: built.problem ?? dots)
    }

    /// Builds a path from literal parts and values, and escapes each value.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""
        fileprivate var template = ""
        fileprivate var problem: String?
        fileprivate var isRaw = false
        private var isInQuery = false

        /// Creates an empty path, to which Swift appends the parts of a literal.
        public init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + interpolationCount * 12)
        }

        /// Appends a literal part, in which slashes and a `?` keep their meaning.
        public mutating func appendLiteral(_ literal: String) {
            if literal.isEmpty { return }
            problem = problem ?? Path.problem(inLiteral: literal, isFirst: text.isEmpty)
            let escaped = PercentEncoding.escapeIllegal(literal)
            text += escaped
            template += escaped
            isInQuery = isInQuery || literal.utf8.contains(UInt8(ascii: "?"))
        }

        /// Appends a value as one segment: a string, a number, or another type that can be created from its description.
        public mutating func appendInterpolation<Value: LosslessStringConvertible>(_ value: Value) { appendValue(value.description) }

        /// Appends a UUID as one segment.
        public mutating func appendInterpolation(_ value: UUID) { appendValue(value.uuidString) }

        /// Appends the raw value of an enum or of a wrapper such as a typed identifier as one segment.
        public mutating func appendInterpolation<Value: RawRepresentable>(_ value: Value) where Value.RawValue: LosslessStringConvertible {
            appendValue(value.rawValue.description)
        }

        /// Appends the UUID of a typed identifier as one segment.
        public mutating func appendInterpolation<Value: RawRepresentable>(_ value: Value) where Value.RawValue == UUID {
            appendValue(value.rawValue.uuidString)
        }

        /// Appends the raw value of a wrapper that is also convertible from a string as one segment.
        public mutating func appendInterpolation<Value: RawRepresentable & LosslessStringConvertible>(_ value: Value)
        where Value.RawValue: LosslessStringConvertible {
            appendValue(value.rawValue.description)
        }

        /// Appends text that is already percent-encoded, as ``Path/init(raw:)`` takes it. Slashes and dots in it change the path. Don't
        /// pass text that a user typed.
        public mutating func appendInterpolation(raw value: String) {
            problem = problem ?? Path.problem(inRaw: value)
            isRaw = true
            text += PercentEncoding.escapeIllegal(value)
            template += "{}"
            isInQuery = isInQuery || value.utf8.contains(UInt8(ascii: "?"))
        }

        /// Unavailable: an Optional can't be a segment.
        @available(*, unavailable, message: "unwrap the optional first: a path without the value is another path")
        public mutating func appendInterpolation<Value>(_ value: Value?) {}

        private mutating func appendValue(_ value: String) {
            if value.isEmpty, !isInQuery { problem = problem ?? "a value in the path is empty: \(Redaction.address(template)){}" }
            if let bad = value.utf8.first(where: Path.isControl) {
                problem = problem ?? "a value in the path has the control character \(bad): \(Redaction.address(template)){}"
            }
            text += PercentEncoding.escape(value)
            template += "{}"
        }
    }
}

extension Path {
    fileprivate static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }

    private static func problem(inLiteral literal: String, isFirst: Bool = true) -> String? {
        let bytes = literal.utf8
        if bytes.contains(where: { isControl($0) || $0 == UInt8(ascii: "#") }) {
            guard bytes.contains(UInt8(ascii: "#")) else { return "the path has a control character" }
            return "a path can't have a fragment (#): \(Redaction.address(literal))"
        }
        guard isFirst else { return nil }
        if bytes.starts(with: "//".utf8) { return "the path starts with // and would leave the base URL: \(Redaction.address(literal))" }
        if isAbsolute(literal) { return "the path is an absolute URL; use .get(url:) or a similar method: \(Redaction.address(literal))" }
        return nil
    }

    private static func problem(inRaw text: String) -> String? {
        let bad = text.utf8.contains { isControl($0) || $0 == UInt8(ascii: "#") || $0 == UInt8(ascii: " ") || $0 >= 0x80 }
        return bad ? "a raw path has a control character, a space, a # or a character that is not ASCII" : nil
    }

    /// Finds `.` and `..` among the segments, also when escaped, because an intermediary or a server would resolve them.
    private static func problem(inSegments text: String) -> String? {
        let path = text.utf8.prefix { $0 != UInt8(ascii: "?") }
        guard path.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "%") }) else { return nil }
        for segment in Substring(path).split(separator: "/") {
            let bytes = PercentEncoding.unescape(segment)
            if bytes == [UInt8(ascii: ".")] || bytes == Array("..".utf8) {
                return "the path has the segment \(segment): \(Redaction.address(text))"
            }
        }
        return nil
    }

    private static func isAbsolute(_ literal: String) -> Bool {
        let bytes = literal.utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8),
            let first = bytes.first, Token.isAlphanumeric(first), !Token.isDigit(first)
        else { return false }
        return bytes[..<colon].allSatisfy { Token.isAlphanumeric($0) || "+-.".utf8.contains($0) }
    }
}
