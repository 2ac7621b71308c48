internal import MartletSystem

/// A loop that reads one element after the other, behind a closure: it is held by the one reader of an iteration.
final class Reading<Loop: SequentialReading>: Sendable {
    /// Taken out while an element is awaited.
    private let loop: Locked<Loop?>

    init(_ loop: Loop) { self.loop = Locked(loop) }

    func next() async throws(GraphQLError) -> Loop.Element? {
        guard var reading = loop.withLock({ $0.take() }) else {
            throw .invalidOperation("the sequence is being read by somebody else at this moment")
        }
        let outcome: Result<Loop.Element?, GraphQLError>
        do throws(GraphQLError) { outcome = .success(try await reading.next()) } catch { outcome = .failure(error) }
        let rest = reading
        loop.withLock { $0 = rest }
        return try outcome.get()
    }
}

/// Reads one element after the other.
protocol SequentialReading<Element>: Sendable {
    associatedtype Element: Sendable
    /// The next element; nil at the end.
    mutating func next() async throws(GraphQLError) -> Element?
}

/// Elements that are there already, and what follows them: the sequences of doubles.
final class Script<Element: Sendable>: Sendable {
    private let rest: Locked<(elements: ArraySlice<Element>, failure: GraphQLError?)>

    init(_ elements: [Element], failure: GraphQLError?) { rest = Locked((elements[...], failure)) }

    /// The next element; after the last the failure, once, and then nil.
    func next() throws(GraphQLError) -> Element? {
        if Task.isCancelled { throw .http(.cancelled) }
        let outcome = rest.withLock { rest -> Result<Element?, GraphQLError> in
            if let element = rest.elements.popFirst() { return .success(element) }
            return rest.failure.take().map { .failure($0) } ?? .success(nil)
        }
        return try outcome.get()
    }
}
