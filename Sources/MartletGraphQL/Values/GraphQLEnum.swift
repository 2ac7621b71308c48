/// A value of an enum of the schema, of which a server may have more than the app that was built before.
///
/// ```swift
/// enum Episode: String, Codable, Sendable { case newHope = "NEWHOPE", empire = "EMPIRE", jedi = "JEDI" }
/// struct Hero: Decodable { let appearsIn: [GraphQLEnum<Episode>] }
///
/// switch hero.appearsIn[0] {
/// case .known(.newHope): …
/// case .known(let episode): …
/// case .unknown(let name): …          // "ROGUE_ONE", which the app does not know
/// }
/// if hero.appearsIn.contains(.known(.jedi)) { … }
/// ```
///
/// A bare `Episode` in the data makes an answer with a new value a decoding error: schemas may grow values at any time, so
/// use a bare enum only where that is what you want. Written in variables, either is the value's name; a bare enum must be `Codable` for
/// that, a wrapped one need not: `GraphQLEnum(Episode.jedi)`.
public enum GraphQLEnum<Known: RawRepresentable> where Known.RawValue == String {
    /// A value that the app knows.
    case known(Known)
    /// The name of a value that it does not.
    case unknown(String)

    /// A value that the app knows.
    public init(_ known: Known) { self = .known(known) }

    /// The value, when the app knows it.
    public var known: Known? { if case .known(let value) = self { value } else { nil } }
}

extension GraphQLEnum: RawRepresentable {
    /// The value of that name, whether it is known or not.
    public init(rawValue: String) { self = Known(rawValue: rawValue).map(Self.known) ?? .unknown(rawValue) }

    /// The value's name.
    public var rawValue: String {
        switch self {
        case .known(let value): value.rawValue
        case .unknown(let name): name
        }
    }
}

extension GraphQLEnum: Hashable, CustomStringConvertible {
    /// Whether the names are the same.
    public static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }

    /// Whether it is this value.
    public static func == (left: Self, right: Known) -> Bool { left.rawValue == right.rawValue }

    /// Whether it is not this value.
    public static func != (left: Self, right: Known) -> Bool { left.rawValue != right.rawValue }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

    /// The value's name.
    public var description: String { rawValue }
}

extension GraphQLEnum: Sendable where Known: Sendable {}

// The standard library reads and writes a `RawRepresentable` by its raw value.
extension GraphQLEnum: Codable {}
