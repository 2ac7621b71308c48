extension ValueSequence where Failure == GraphQLError {
    /// Creates a sequence for a mock, which returns these elements and then throws the failure, if any.
    public init(_ elements: [Element], failure: GraphQLError? = nil) {
        self.init {
            let rest = Script(elements, failure: failure)
            return { () async throws(GraphQLError) in try rest.next() }
        }
    }

    /// Creates a sequence that makes and reads a new loop in each iteration.
    init(_ makeLoop: @escaping @Sendable @autoclosure () -> some SequentialReading<Element>) {
        self.init {
            let reading = Reading(makeLoop())
            return { () async throws(GraphQLError) in try await reading.next() }
        }
    }
}
