/// One way in which a request is not what a ``RequestMatcher`` asks for.
public struct RequestDifference: Sendable, Hashable, CustomStringConvertible {
    /// Which part: `method`, `path`, `query page`, `header Accept`, `body /user/name` (a JSON pointer, RFC 6901).
    public let part: String
    /// What was asked for, a secret's value hidden.
    public let expected: String
    /// What was found, a secret's value hidden.
    public let found: String

    /// A difference. The texts are hidden and cut by whoever makes them.
    public init(part: String, expected: String, found: String) {
        self.part = part
        self.expected = expected
        self.found = found
    }

    /// `path: expected /users/{id}, found /orders/1`
    public var description: String { "\(part): expected \(expected), found \(found)" }
}
