/// What `verify()` of a test double throws: what was stubbed and never asked for.
public struct UnusedStubsError: Error, Hashable, CustomStringConvertible {
    /// The stubs, in the order in which they were made, each as it is written.
    public let stubs: [String]

    /// Says that these stubs were never used.
    public init(stubs: [String]) { self.stubs = stubs }

    /// The stubs, a line each.
    public var description: String { "never used:\n" + stubs.map { "  \($0)" }.joined(separator: "\n") }

    /// Throws when there is a stub in the list.
    package static func check(_ stubs: [String]) throws(UnusedStubsError) {
        if !stubs.isEmpty { throw UnusedStubsError(stubs: stubs) }
    }
}
