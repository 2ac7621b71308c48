/// An asynchronous sequence of the values of a call, as they arrive: lines, decoded values, progress, signals.
///
/// ```swift
/// for try await line in client.lines(.get("log")) { print(line) }
/// ```
///
/// Nothing is sent before the sequence is iterated, and each iteration is a separate call. Leaving the loop, or cancelling its task, ends
/// the call. An iteration throws `Failure`, the error of the client. The method that returns the sequence documents which errors occur.
///
/// Write a loop that you leave early in a function. At the top level of `main.swift`, Swift keeps the loop's iterator, and with it the
/// call, until the program ends. This applies to every sequence of Martlet.
public struct ValueSequence<Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
    private let begin: @Sendable () -> () async throws(Failure) -> Element?

    /// Creates a sequence from a closure that begins an iteration and returns its `next` function, as for a test double.
    ///
    /// - Parameter begin: Begins an iteration. It returns a closure that returns the next value, or nil at the end.
    public init(_ begin: @escaping @Sendable () -> () async throws(Failure) -> Element?) { self.begin = begin }

    /// Returns a sequence that throws the errors that `map` returns.
    package func mappingErrors<Other: Error>(_ map: @escaping @Sendable (Failure) -> Other) -> ValueSequence<Element, Other> {
        let begin = begin
        return ValueSequence<Element, Other> {
            let next = begin()
            return { () async throws(Other) in
                do throws(Failure) { return try await next() } catch { throw map(error) }
            }
        }
    }

    /// The iterator over the values of one call.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let following: () async throws(Failure) -> Element?

        /// Returns the next value, or nil at the end.
        public mutating func next() async throws(Failure) -> Element? { try await following() }
    }

    /// Begins an iteration.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(following: begin()) }
}
