public import MartletClient
internal import MartletHTTP

/// A span as other processes know it: what the fields `traceparent` and `tracestate` pass on (W3C Trace Context).
///
/// A server that handles a request makes its context the parent of the calls that it makes meanwhile:
///
/// ```swift
/// try await TraceContext.$current.withValue(TraceContext(headers: incoming.headers)) {
///     try await client.send(GetUser(id: 1))
/// }
/// ```
public struct TraceContext: SpanContext, Hashable {
    /// The context of the current task: the parent of the spans of calls that begin in it. Default: nil, each call begins a trace.
    @TaskLocal public static var current: TraceContext?

    /// The trace.
    public var traceID: TraceID
    /// The span that calls.
    public var spanID: SpanID
    /// Whether the caller may have recorded the trace.
    public var isSampled: Bool
    /// Whether at least the last 7 bytes of the trace identifier are random (Trace Context Level 2, `random-trace-id`).
    public var isRandom: Bool
    /// What tracing systems have added.
    var state = TraceState()

    /// Creates a context without a `tracestate`.
    public init(traceID: TraceID, spanID: SpanID, isSampled: Bool, isRandom: Bool = false) {
        self.traceID = traceID
        self.spanID = spanID
        self.isSampled = isSampled
        self.isRandom = isRandom
    }

    /// Reads the value of a `traceparent` field (§3.2), or returns nil if it is malformed.
    ///
    /// A later version than `00` is read as far as its start is like version `00` (§3.2.4). Flags that are not known are ignored.
    public init?(traceparent text: some StringProtocol) {
        let bytes = Array(text.trimmingWhitespace.utf8)
        let dash = UInt8(ascii: "-")
        guard bytes.count >= 55, bytes[2] == dash, bytes[35] == dash, bytes[52] == dash, let version = HexNumber.read(bytes[..<2]),
            version != 0xFF, version == 0 ? bytes.count == 55 : bytes.count == 55 || bytes[55] == dash,
            let trace = TraceID(String(decoding: bytes[3..<35], as: UTF8.self)),
            let span = SpanID(String(decoding: bytes[36..<52], as: UTF8.self)), let flags = HexNumber.read(bytes[53..<55])
        else { return nil }
        self.init(traceID: trace, spanID: span, isSampled: flags & 1 != 0, isRandom: flags & 2 != 0)
    }

    /// Reads the fields `traceparent` and `tracestate`. Returns nil if `traceparent` is missing, repeated or malformed.
    ///
    /// A malformed `tracestate` is dropped as a whole (§4.3).
    public init?(headers: HTTPFields) {
        let values = headers.values(for: .traceparent)
        guard values.count == 1 else { return nil }
        self.init(traceparent: values[0])
        state = TraceState(headers.values(for: .tracestate)) ?? TraceState()
    }

    /// Replaces the fields `traceparent` and `tracestate`. Without members, `tracestate` is removed.
    public func write(to headers: inout HTTPFields) {
        headers[.traceparent] = traceparent
        let state = state.fieldValue
        headers[.tracestate] = state.isEmpty ? nil : state
    }

    /// Runs an operation in which the context is the ``current`` one.
    public func withCurrent<Value: Sendable>(_ operation: () async throws -> Value) async rethrows -> Value {
        try await TraceContext.$current.withValue(self) { try await operation() }
    }

    /// The value of the field `traceparent`, of version `00`.
    public var traceparent: String { "00-\(traceID)-\(spanID)-0\((isSampled ? 1 : 0) | (isRandom ? 2 : 0))" }

    /// The keys of `tracestate`, which tracing systems have added, the latest first.
    public var stateKeys: [String] { state.keys }

    /// The value of a key of `tracestate` (§3.3), or nil.
    ///
    /// ```swift
    /// if var context = TraceContext.current { context[state: "rojo"] = "00f067aa0ba902b7" }
    /// ```
    ///
    /// Setting a value moves the member to the front and, if there are then more than 32, removes the last (§3.5). Setting nil removes the
    /// member. An invalid key or value changes nothing.
    public subscript(state key: String) -> String? {
        get { state[key] }
        set { state[key] = newValue }
    }
}

extension HTTPFieldName {
    /// `traceparent`.
    public static var traceparent: Self { "traceparent" }
    /// `tracestate`.
    public static var tracestate: Self { "tracestate" }
}

/// The value of a `tracestate` field (W3C Trace Context §3.3): what each tracing system adds to the trace, the latest first.
///
/// It has at most 32 members. Each key occurs once.
struct TraceState: Hashable, Sendable, CustomStringConvertible {
    /// The maximum number of members.
    static let maxCount = 32
    /// The maximum number of bytes that ``fieldValue`` has: what every implementation must pass on (§3.3.1.5).
    static let maxBytes = 512

    private var members: [Member] = []

    private struct Member: Hashable {
        let key: String
        let value: String

        var length: Int { key.utf8.count + 1 + value.utf8.count }
    }

    /// Creates a value without members.
    init() {}

    /// Reads the values of the field's lines, or returns nil if a member is malformed, a key is repeated or there are more than 32 members.
    init?(_ lines: [String]) {
        for part in lines.joined(separator: ",").split(separator: ",") {
            let text = part.trimmingWhitespace
            if text.isEmpty { continue }
            guard let equals = text.firstIndex(of: "=") else { return nil }
            // Spaces before the value belong to it.
            let key = String(text[..<equals]), value = String(text[text.index(after: equals)...])
            guard TraceState.isKey(key), TraceState.isValue(value), self[key] == nil, members.count < TraceState.maxCount else {
                return nil
            }
            members.append(Member(key: key, value: value))
        }
    }

    /// Reads the value of a field. See ``init(_:)-([String])``.
    init?(_ text: String) { self.init([text]) }

    /// The keys in their order.
    var keys: [String] { members.map(\.key) }

    /// Whether it has no members.
    var isEmpty: Bool { members.isEmpty }

    /// The value of a key, or nil: see ``TraceContext/subscript(state:)``.
    subscript(key: String) -> String? {
        get { members.first { $0.key == key }?.value }
        set {
            guard TraceState.isKey(key), newValue.map(TraceState.isValue) ?? true else { return }
            members.removeAll { $0.key == key }
            guard let newValue else { return }
            members.insert(Member(key: key, value: newValue), at: 0)
            if members.count > TraceState.maxCount { members.removeLast() }
        }
    }

    /// All members, separated by commas.
    var description: String { TraceState.text(members) }

    /// The members for a field of at most 512 bytes: without members of more than 128 bytes and then without the last ones, if the
    /// whole is longer (§3.3.1.5).
    var fieldValue: String {
        var kept = members
        func isTooLong() -> Bool { kept.reduce(-1) { $0 + $1.length + 1 } > TraceState.maxBytes }
        while isTooLong(), let long = kept.lastIndex(where: { $0.length > 128 }) { kept.remove(at: long) }
        while isTooLong() { kept.removeLast() }
        return TraceState.text(kept)
    }

    private static func text(_ members: [Member]) -> String { members.map { "\($0.key)=\($0.value)" }.joined(separator: ",") }

    /// Returns whether a text is a valid key (Level 2, §3.3.2.2.1): a lower-case letter or a digit, followed by at most 255 lower-case
    /// letters, digits and `_-*/@`.
    ///
    /// Level 1 permits fewer of them: a digit at the start and `@` only for a tenant and a system, as in `1a@nr`.
    static func isKey(_ text: some StringProtocol) -> Bool {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z"), digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard (1...256).contains(text.utf8.count), let first = text.utf8.first, letters.contains(first) || digits.contains(first) else {
            return false
        }
        return text.utf8.allSatisfy { letters.contains($0) || digits.contains($0) || "_-*/@".utf8.contains($0) }
    }

    /// Returns whether a text is a valid value (§3.3.1.3.2): 1 to 256 printable characters of ASCII except `,` and `=`, and no space at the
    /// end.
    static func isValue(_ text: some StringProtocol) -> Bool {
        guard (1...256).contains(text.utf8.count), !text.hasSuffix(" ") else { return false }
        return text.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "=") }
    }
}
