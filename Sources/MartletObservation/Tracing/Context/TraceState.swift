internal import MartletHTTP

/// The value of a `tracestate` field (W3C Trace Context §3.3): what each tracing system adds to the trace, the latest first.
///
/// ```swift
/// var state = TraceState("congo=t61rcWkgMzE") ?? TraceState()
/// state["rojo"] = "00f067aa0ba902b7"
/// print(state)  // rojo=00f067aa0ba902b7,congo=t61rcWkgMzE
/// ```
///
/// It has at most 32 members. Each key occurs once.
public struct TraceState: Hashable, Sendable, CustomStringConvertible {
    /// The maximum number of members.
    public static let maxCount = 32
    /// The maximum number of bytes that ``fieldValue`` has: what every implementation must pass on (§3.3.1.5).
    public static let maxBytes = 512

    private var members: [Member] = []

    private struct Member: Hashable {
        let key: String
        let value: String

        var length: Int { key.utf8.count + 1 + value.utf8.count }
    }

    /// Creates a value without members.
    public init() {}

    /// Reads the values of the field's lines, or returns nil if a member is malformed, a key is repeated or there are more than 32 members.
    public init?(_ lines: [String]) {
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
    public init?(_ text: String) { self.init([text]) }

    /// The keys in their order.
    public var keys: [String] { members.map(\.key) }

    /// Whether it has no members.
    public var isEmpty: Bool { members.isEmpty }

    /// The value of a key, or nil.
    ///
    /// Setting a value moves the member to the front and, if there are then more than 32, removes the last (§3.5). Setting nil removes
    /// the member. An invalid key or value changes nothing: see ``isKey(_:)`` and ``isValue(_:)``.
    public subscript(key: String) -> String? {
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
    public var description: String { TraceState.text(members) }

    /// The members for a field of at most 512 bytes: without members of more than 128 bytes and then without the last ones, if the
    /// whole is longer (§3.3.1.5).
    public var fieldValue: String {
        var kept = members
        func isTooLong() -> Bool { kept.reduce(-1) { $0 + $1.length + 1 } > TraceState.maxBytes }
        while isTooLong(), let long = kept.lastIndex(where: { $0.length > 128 }) { kept.remove(at: long) }
        while isTooLong() { kept.removeLast() }
        return TraceState.text(kept)
    }

    private static func text(_ members: [Member]) -> String { members.map { "\($0.key)=\($0.value)" }.joined(separator: ",") }

    /// Returns whether a text is a valid key (Level 2, §3.3.2.2.1): a lower-case letter or a digit, followed by at most 255 lower-case letters,
    /// digits and `_-*/@`.
    ///
    /// Level 1 permits fewer of them: a digit at the start and `@` only for a tenant and a system, as in `1a@nr`.
    public static func isKey(_ text: some StringProtocol) -> Bool {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z"), digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard (1...256).contains(text.utf8.count), let first = text.utf8.first, letters.contains(first) || digits.contains(first) else {
            return false
        }
        return text.utf8.allSatisfy { letters.contains($0) || digits.contains($0) || "_-*/@".utf8.contains($0) }
    }

    /// Returns whether a text is a valid value (§3.3.1.3.2): 1 to 256 printable characters of ASCII except `,` and `=`, and no space at the
    /// end.
    public static func isValue(_ text: some StringProtocol) -> Bool {
        guard (1...256).contains(text.utf8.count), !text.hasSuffix(" ") else { return false }
        return text.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "=") }
    }
}
