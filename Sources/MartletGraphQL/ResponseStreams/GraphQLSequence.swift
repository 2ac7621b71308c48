/// A sequence whose elements are received while it is iterated: the base of the client's sequences.
///
/// Each iteration is a call of its own.
public struct GraphQLSequence<Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
    private let begin: @Sendable () -> @Sendable () async throws(Failure) -> Element?

    /// Creates a sequence for a test double. Each iteration calls `begin` once, and the closure that it returns for each element.
    public init(_ begin: @escaping @Sendable () -> @Sendable () async throws(Failure) -> Element?) { self.begin = begin }

    /// Returns the sequence with the errors that `map` returns for its own.
    func mappingErrors<Other: Error>(_ map: @escaping @Sendable (Failure) -> Other) -> GraphQLSequence<Element, Other> {
        let begin = begin
        return GraphQLSequence<Element, Other> {
            let next = begin()
            return { () async throws(Other) in
                do throws(Failure) { return try await next() } catch { throw map(error) }
            }
        }
    }

    /// The elements, one after the other.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let following: @Sendable () async throws(Failure) -> Element?

        /// Returns the next element, or nil at the end.
        public mutating func next() async throws(Failure) -> Element? { try await following() }
    }

    /// Begins an iteration.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(following: begin()) }
}

extension GraphQLSequence where Failure == GraphQLError {
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
}
