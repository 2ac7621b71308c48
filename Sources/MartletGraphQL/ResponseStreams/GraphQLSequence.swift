/// A sequence whose elements are received while it is iterated: the base of the client's sequences.
///
/// Each iteration is a call of its own.
public struct GraphQLSequence<Element: Sendable>: AsyncSequence, Sendable {
    private let begin: @Sendable () -> @Sendable () async throws(GraphQLError) -> Element?

    /// Creates a sequence for a test double. Each iteration calls `begin` once, and the closure that it returns for each element.
    public init(_ begin: @escaping @Sendable () -> @Sendable () async throws(GraphQLError) -> Element?) { self.begin = begin }

    /// Creates a sequence for a test double: these elements, then the failure, if there is one.
    public init(_ elements: [Element], failure: GraphQLError? = nil) {
        self.init {
            let rest = Script(elements, failure: failure)
            return { () async throws(GraphQLError) in try rest.next() }
        }
    }

    /// Creates a sequence that reads a loop of its own in each iteration.
    init(_ makeLoop: @escaping @Sendable @autoclosure () -> some SequentialReading<Element>) {
        self.init {
            let reading = Reading(makeLoop())
            return { () async throws(GraphQLError) in try await reading.next() }
        }
    }

    /// The elements, one after the other.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let following: @Sendable () async throws(GraphQLError) -> Element?

        /// Returns the next element, or nil at the end.
        public mutating func next() async throws(GraphQLError) -> Element? { try await following() }
    }

    /// Begins an iteration.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(following: begin()) }
}
