/// The results of a subscription, as they arrive: what `subscribe(_:options:)` gives.
///
/// ```swift
/// for try await result in graphQL.subscribe(ReviewAdded(episode: .jedi)) {
///     switch result {
///     case .complete(let data): show(data.review)
///     case .partial(let data, let errors): show(data.review); report(errors)
///     case .failed(let errors): report(errors)    // of this result; the subscription goes on
///     }
/// }
/// ```
///
/// Nothing is sent before it is iterated; each iteration is a subscription of its own. It ends when the server says that it is complete. Leaving
/// the loop or cancelling the task closes the connection. No result is read ahead of the loop's body: a slow reader stops the server.
///
/// ### When the connection is gone
/// One that breaks, is silent for too long, or ends before the subscription was complete is made again, as ``GraphQLSubscriptionOptions/reconnection``
/// says; results in between are lost unless the server gives its messages ids. When the server refuses the credential at the beginning of a
/// connection, it is renewed once and the connection made again.
///
/// ### What it throws
/// `.response` when the server refuses the subscription or ends it with errors; `.http` with the last failure when no other connection is to be made;
/// `.http(.decodingFailed)` for a result that does not fit the type; `.http(.responseTooLarge)`; `.http(.cancelled)`; `.invalidOperation` for
/// what is no subscription; `.invalidDocument`.
public struct GraphQLSubscriptionSequence<Data: Decodable & Sendable, Failure: Error>: AsyncSequence, Sendable {
    /// A result.
    public typealias Element = GraphQLResult<Data>

    /// All that happens to a subscription.
    public typealias Signals = ValueSequence<GraphQLSubscriptionSignal<Data>, Failure>

    /// The same subscription with all that happens to it: connections, signs of life and waits besides the results.
    ///
    /// ```swift
    /// for try await signal in graphQL.subscribe(ReviewAdded()).signals {
    ///     switch signal {
    ///     case .open: status = .live
    ///     case .result(let result): show(result)
    ///     case .reconnecting(let wait, _): status = .offline(retryIn: wait)
    ///     default: break
    ///     }
    /// }
    /// ```
    public let signals: Signals

    init(signals: Signals) { self.signals = signals }

    /// Returns the sequence with the errors that `map` returns for its own.
    func mappingErrors<Other: Error>(_ map: @escaping @Sendable (Failure) -> Other) -> GraphQLSubscriptionSequence<Data, Other> {
        GraphQLSubscriptionSequence<Data, Other>(signals: signals.mappingErrors(map))
    }

    /// The results, one after the other.
    public typealias AsyncIterator = ValueSequence<GraphQLResult<Data>, Failure>.AsyncIterator

    /// Begins to read.
    public func makeAsyncIterator() -> AsyncIterator {
        let signals = signals
        return ValueSequence<GraphQLResult<Data>, Failure> {
            var iterator = signals.makeAsyncIterator()
            return { () async throws(Failure) in
                while let signal = try await iterator.next() {
                    if case .result(let result) = signal { return result }
                }
                return nil
            }
        }.makeAsyncIterator()
    }
}

extension GraphQLSubscriptionSequence where Failure == GraphQLError {
    /// Creates a sequence for a test double. Each iteration calls `begin` once, and the closure that it returns for each signal.
    public init(_ begin: @escaping @Sendable () -> @Sendable () async throws(GraphQLError) -> GraphQLSubscriptionSignal<Data>?) {
        signals = Signals(begin)
    }

    /// Creates a sequence for a test double: one connection with these results, then the failure, if there is one.
    public init(_ results: [GraphQLResult<Data>], failure: GraphQLError? = nil) {
        signals = Signals([.connecting(number: 1), .open(nil)] + results.map { .result($0) }, failure: failure)
    }

    /// Creates a sequence that reads a loop of its own in each iteration.
    init(_ makeLoop: @escaping @Sendable @autoclosure () -> SubscriptionLoop<Data>) { signals = Signals(makeLoop()) }
}
