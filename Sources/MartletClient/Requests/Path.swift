public import MartletEssentials

/// The path of a request below the base URL, safe against what is put into it.
///
/// ```swift
/// let path: Path = "users/\(name)/posts"   // name = "../admin" gives users/..%2Fadmin/posts
/// ```
///
/// Each interpolation is one escaped segment: everything but the unreserved characters of RFC 3986 §2.3 is escaped. The literal
/// parts are taken as they are; a `?` in them starts a query. A leading slash does not leave the base URL's path.
///
/// A path is refused with `.invalidURL` when it is sent, and never traps before, if a segment is or becomes `.` or `..`, a value is
/// empty or has control characters, or the literal has a `#`, starts with `//`, or is an absolute URL.
public struct Path: Sendable, Hashable, CustomStringConvertible {
    /// The path, percent-encoded, with its query.
    public let text: String
    /// The path with `{}` for each value: groups calls in logs and metrics.
    public let template: String
    /// Why it can't be sent, or nil.
    public let problem: String?

    /// A path of segments, each escaped.
    public init(segments: [String]) {
        var builder = StringInterpolation(literalCapacity: 0, interpolationCount: segments.count)
        for (index, segment) in segments.enumerated() {
            if index > 0 { builder.appendLiteral("/") }
            builder.appendInterpolation(segment)
        }
        self.init(stringInterpolation: builder)
    }

    /// A path that is percent-encoded already, with its query if it has one. Nothing in it is escaped or refused but control
    /// characters, spaces and `#`: never make it of what a user typed.
    public init(raw text: String) {
        self.init(text: text, template: text, problem: Path.problem(inRaw: text))
    }

    /// The path.
    public var description: String { text }

    /// Whether the paths are the same when sent.
    public static func == (left: Self, right: Self) -> Bool { left.text == right.text && left.problem == right.problem }

    /// Hashes the path.
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }

    private init(text: String, template: String, problem: String?) {
        self.text = text
        self.template = template
        self.problem = problem
    }
}

extension Path: ExpressibleByStringInterpolation {
    /// A path without values.
    public init(stringLiteral value: String) {
        let text = PercentEncoding.escapeIllegal(value)
        self.init(text: text, template: text, problem: Path.problem(inLiteral: value) ?? Path.problem(inSegments: text))
    }

    /// A path with values.
    public init(stringInterpolation: StringInterpolation) {
        let built = stringInterpolation
        let dots = built.isRaw ? nil : Path.problem(inSegments: built.text)
        self.init(text: built.text, template: built.template, problem: built.problem ?? dots)
    }

    /// Puts a path together, escaping each value.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""
        fileprivate var template = ""
        fileprivate var problem: String?
        fileprivate var isRaw = false
        private var isInQuery = false

        /// An empty path.
        public init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + interpolationCount * 12)
        }

        /// Adds a literal part.
        public mutating func appendLiteral(_ literal: String) {
            if literal.isEmpty { return }
            problem = problem ?? Path.problem(inLiteral: literal, isFirst: text.isEmpty)
            let escaped = PercentEncoding.escapeIllegal(literal)
            text += escaped
            template += escaped
            isInQuery = isInQuery || literal.utf8.contains(UInt8(ascii: "?"))
        }

        /// Adds a value as one segment: a text, a number, or anything that reads back from its text.
        public mutating func appendInterpolation<Value: LosslessStringConvertible>(_ value: Value) { appendValue(value.description) }

        /// Adds a value as one segment.
        public mutating func appendInterpolation(_ value: UUID) { appendValue(value.uuidString) }

        /// Adds the raw value of an enum or of a wrapper such as a typed identifier.
        public mutating func appendInterpolation<Value: RawRepresentable>(_ value: Value) where Value.RawValue: LosslessStringConvertible {
            appendValue(value.rawValue.description)
        }

        /// Adds the raw value of a typed identifier.
        public mutating func appendInterpolation<Value: RawRepresentable>(_ value: Value) where Value.RawValue == UUID {
            appendValue(value.rawValue.uuidString)
        }

        /// Adds the raw value of a wrapper that is a text as well.
        public mutating func appendInterpolation<Value: RawRepresentable & LosslessStringConvertible>(_ value: Value)
        where Value.RawValue: LosslessStringConvertible {
            appendValue(value.rawValue.description)
        }

        /// Adds text that is percent-encoded already; slashes and dots in it count. Never give it what a user typed.
        public mutating func appendInterpolation(raw value: String) {
            problem = problem ?? Path.problem(inRaw: value)
            isRaw = true
            text += value
            template += "{}"
            isInQuery = isInQuery || value.utf8.contains(UInt8(ascii: "?"))
        }

        /// An optional can't be a segment.
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
        if literal.utf8.contains(UInt8(ascii: "#")) { return "a path can't have a fragment (#): \(Redaction.address(literal))" }
        if literal.utf8.contains(where: isControl) { return "the path has a control character" }
        guard isFirst else { return nil }
        if literal.hasPrefix("//") { return "the path starts with // and would leave the base URL: \(Redaction.address(literal))" }
        if isAbsolute(literal) { return "the path is an absolute URL; use .get(url:) and its kin for one: \(Redaction.address(literal))" }
        return nil
    }

    private static func problem(inRaw text: String) -> String? {
        let bad = text.utf8.contains { isControl($0) || $0 == UInt8(ascii: "#") || $0 == UInt8(ascii: " ") || $0 >= 0x80 }
        return bad ? "a raw path has a control character, a space, a # or a character that is not ASCII" : nil
    }

    /// Finds `.` and `..`, escaped or not, among the segments: an intermediary or a server would resolve them.
    private static func problem(inSegments text: String) -> String? {
        let path = text.prefix { $0 != "?" }
        guard path.utf8.contains(UInt8(ascii: ".")) || path.utf8.contains(UInt8(ascii: "%")) else { return nil }
        for segment in path.split(separator: "/") {
            let bytes = PercentEncoding.unescape(segment)
            if bytes == [UInt8(ascii: ".")] || bytes == Array("..".utf8) {
                return "the path has the segment \(segment): \(Redaction.address(text))"
            }
        }
        return nil
    }

    private static func isAbsolute(_ literal: String) -> Bool {
        let scheme = literal.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "+" || $0 == "-" || $0 == ".") }
        return scheme.first?.isLetter == true && literal[scheme.endIndex...].hasPrefix("://")
    }
}
