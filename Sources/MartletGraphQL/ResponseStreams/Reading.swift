internal import MartletSystem

/// Wraps a reading loop for use in an escaping closure. Only one task may read at a time.
final class Reading<Loop: SequentialReading>: Sendable {
    /// Nil while an element is awaited.
    private let loop: Locked<Loop?>

    init(_ loop: Loop) { self.loop = Locked(loop) }

    func next() async throws(GraphQLError) -> Loop.Element? {
        guard var reading = loop.withLock({ $0.take() }) else {
            throw .invalidOperation("two tasks read the same sequence at the same time: use one iterator per task")
        }
        let outcome: Result<Loop.Element?, GraphQLError>
        do throws(GraphQLError) { outcome = .success(try await reading.next()) } catch { outcome = .failure(error) }
        let rest = reading
        loop.withLock { $0 = rest }
        return try outcome.get()
    }
}

/// Reads elements one after the other.
protocol SequentialReading<Element>: Sendable {
    associatedtype Element: Sendable
    /// Returns the next element, or nil at the end.
    mutating func next() async throws(GraphQLError) -> Element?
}

/// A fixed list of elements and an optional failure, for the sequences of mocks.
final class Script<Element: Sendable>: Sendable {
    private let rest: Locked<(elements: ArraySlice<Element>, failure: GraphQLError?)>

    init(_ elements: [Element], failure: GraphQLError?) { rest = Locked((elements[...], failure)) }

    /// Returns the next element. After the last one it throws the failure once, if there is one, and then returns nil.
    func next() throws(GraphQLError) -> Element? {
        if Task.isCancelled { throw .http(.cancelled) }
        let outcome = rest.withLock { rest -> Result<Element?, GraphQLError> in
            if let element = rest.elements.popFirst() { return .success(element) }
            return rest.failure.take().map { .failure($0) } ?? .success(nil)
        }
        return try outcome.get()
    }
}

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
