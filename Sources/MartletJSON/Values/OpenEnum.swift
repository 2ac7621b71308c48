/// A value of an app's enum, or the text of a value that the enum does not have, so that new values of a server can be decoded.
///
/// ```swift
/// enum Status: String, Codable, Sendable { case open, closed }
/// struct Ticket: Decodable { let status: OpenEnum<Status> }
///
/// let ticket = try JSONBodyDecoder().decode(Ticket.self, from: data)
/// switch ticket.status {
/// case .known(.open): …
/// case .known(let status): …
/// case .unknown(let text): …          // "paused", which the app's enum lacks
/// }
/// if ticket.status == .open { … }
/// ```
///
/// A property of the type `Status` would make the whole response fail with a decoding error for a new value. An `OpenEnum` is encoded as
/// its text.
public enum OpenEnum<Known: RawRepresentable> where Known.RawValue == String {
    /// A value of the app's enum.
    case known(Known)
    /// The text of a value that the app's enum does not have.
    case unknown(String)

    /// Creates a known value from a case of the app's enum.
    public init(_ known: Known) { self = .known(known) }

    /// The value of the app's enum, or nil if it is unknown.
    public var known: Known? { if case .known(let value) = self { value } else { nil } }
}

extension OpenEnum: RawRepresentable {
    /// Creates a known or unknown value from its text.
    public init(rawValue: String) { self = Known(rawValue: rawValue).map(Self.known) ?? .unknown(rawValue) }

    /// The text of the value.
    public var rawValue: String {
        switch self {
        case .known(let value): value.rawValue
        case .unknown(let text): text
        }
    }
}

extension OpenEnum: Hashable, CustomStringConvertible {
    /// Returns whether the texts of both values are equal.
    public static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }

    /// Returns whether this is the given value of the app's enum.
    public static func == (left: Self, right: Known) -> Bool { left.rawValue == right.rawValue }

    /// Returns whether this is not the given value of the app's enum.
    public static func != (left: Self, right: Known) -> Bool { left.rawValue != right.rawValue }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

    /// The text of the value.
    public var description: String { rawValue }
}

extension OpenEnum: Sendable where Known: Sendable {}

// The standard library decodes and encodes a `RawRepresentable` as its raw value.
extension OpenEnum: Codable {}
