/// The values that a call delivers, one after the other as they arrive: lines, decoded values, progress, signals.
///
/// ```swift
/// for try await line in client.lines(.get("log")) { print(line) }
/// ```
///
/// Nothing is sent before it is iterated, and each iteration is a call of its own. Leaving the loop, or cancelling its task, ends the call. An
/// iteration throws `Failure`, the error of the client; the method that returns the sequence says which errors.
///
/// Write a loop that you leave early in a function. At the top level of `main.swift`, Swift keeps the loop's iterator until the program ends,
/// and the call with it. This applies to every sequence of Martlet.
public struct ValueSequence<Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
    private let begin: @Sendable () -> () async throws(Failure) -> Element?

    /// Creates a sequence, such as that of a test double.
    ///
    /// - Parameter begin: Begins an iteration. It returns a closure that returns the next value, or nil at the end.
    public init(_ begin: @escaping @Sendable () -> () async throws(Failure) -> Element?) { self.begin = begin }

    /// Returns the sequence with the errors that `map` returns for its own.
    package func mappingErrors<Other: Error>(_ map: @escaping @Sendable (Failure) -> Other) -> ValueSequence<Element, Other> {
        let begin = begin
        return ValueSequence<Element, Other> {
            let next = begin()
            return { () async throws(Other) in
                do throws(Failure) { return try await next() } catch { throw map(error) }
            }
        }
    }

    /// The values of one iteration.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let following: () async throws(Failure) -> Element?

        /// Returns the next value, or nil at the end.
        public mutating func next() async throws(Failure) -> Element? { try await following() }
    }

    /// Begins an iteration.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(following: begin()) }
}
