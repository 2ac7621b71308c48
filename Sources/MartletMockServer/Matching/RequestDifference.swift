/// One part in which a request differs from a ``RequestMatcher``, with the expected and the found value.
public struct RequestDifference: Sendable, Hashable, CustomStringConvertible {
    /// The part that differs, such as `method`, `query page`, `header Accept` or `body /user/name` (with a JSON pointer, RFC 6901).
    public let part: String
    /// The expected value, masked if it is a secret.
    public let expected: String
    /// The found value, masked if it is a secret.
    public let found: String

    /// Creates a difference. The caller must mask and shorten the texts.
    public init(part: String, expected: String, found: String) {
        self.part = part
        self.expected = expected
        self.found = found
    }

    /// The difference as text, such as `path: expected /users/{id}, found /orders/1`.
    public var description: String { "\(part): expected \(expected), found \(found)" }
}
