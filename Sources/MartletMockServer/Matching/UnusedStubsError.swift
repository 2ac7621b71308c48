/// The error that `verify()` of a test double throws if some stubs or replies were never used.
public struct UnusedStubsError: Error, Hashable, CustomStringConvertible {
    /// The unused stubs in the order of their creation, as written in Swift.
    public let stubs: [String]

    /// Creates an error for unused stubs.
    public init(stubs: [String]) { self.stubs = stubs }

    /// The words `never used:` and the unused stubs, one per line.
    public var description: String { "never used:\n" + stubs.map { "  \($0)" }.joined(separator: "\n") }

    /// Throws if the list has stubs.
    package static func check(_ stubs: [String]) throws(UnusedStubsError) {
        if !stubs.isEmpty { throw UnusedStubsError(stubs: stubs) }
    }
}
