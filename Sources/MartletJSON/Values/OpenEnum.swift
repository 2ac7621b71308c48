/// A value of an enum to which a server may add values that the app does not know yet.
///
/// ```swift
/// enum Status: String, Codable, Sendable { case open, closed }
/// struct Ticket: Decodable { let status: OpenEnum<Status> }
///
/// switch ticket.status {
/// case .known(.open): …
/// case .known(let status): …
/// case .unknown(let text): …          // "paused", which the app does not know
/// }
/// if ticket.status == .open { … }
/// ```
///
/// With a bare `Status`, a new value makes the whole response fail with a decoding error. An `OpenEnum` is encoded as its text.
public enum OpenEnum<Known: RawRepresentable> where Known.RawValue == String {
    /// A value that the app knows.
    case known(Known)
    /// The text of a value that the app does not know.
    case unknown(String)

    /// Creates a value that the app knows.
    public init(_ known: Known) { self = .known(known) }

    /// The value if the app knows it, otherwise nil.
    public var known: Known? { if case .known(let value) = self { value } else { nil } }
}

extension OpenEnum: RawRepresentable {
    /// Creates the value with a text, whether the app knows it or not.
    public init(rawValue: String) { self = Known(rawValue: rawValue).map(Self.known) ?? .unknown(rawValue) }

    /// The value's text.
    public var rawValue: String {
        switch self {
        case .known(let value): value.rawValue
        case .unknown(let text): text
        }
    }
}

extension OpenEnum: Hashable, CustomStringConvertible {
    /// Returns whether the texts are equal.
    public static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }

    /// Returns whether it is this value.
    public static func == (left: Self, right: Known) -> Bool { left.rawValue == right.rawValue }

    /// Returns whether it is not this value.
    public static func != (left: Self, right: Known) -> Bool { left.rawValue != right.rawValue }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

    /// The value's text.
    public var description: String { rawValue }
}

extension OpenEnum: Sendable where Known: Sendable {}

// The standard library reads and writes a `RawRepresentable` by its raw value.
extension OpenEnum: Codable {}
