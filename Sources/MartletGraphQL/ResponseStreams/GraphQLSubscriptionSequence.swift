/// An asynchronous sequence of a subscription's results, as returned by `subscribe(_:options:)`.
///
/// ```swift
/// for try await result in graphQL.subscribe(ReviewAdded()) {
///     switch result {
///     case .complete(let data): show(data.review)
///     case .partial(let data, let errors): show(data.review); report(errors)
///     case .failed(let errors): report(errors)    // only this result; the subscription continues
///     }
/// }
/// ```
///
/// Nothing is sent before iteration, and each iteration opens its own subscription. The sequence ends when the server completes the
/// subscription. Leaving the loop or cancelling the task closes the connection. No result is read ahead of the loop's body, so a slow
/// reader slows down the server.
///
/// ### Lost connections
/// A connection that breaks, is silent for too long, or ends before the subscription is complete is replaced, as
/// ``GraphQLSubscriptionOptions/reconnection`` says. Results in between are lost unless the server supports event IDs. If the server
/// rejects the credential at the beginning of a connection, the credential is renewed once and a new connection is opened.
///
/// ### Errors
/// - `.response` if the server rejects the subscription or ends it with errors.
/// - `.http` with the last failure if no new connection is opened, `.http(.decodingFailed)` for a result that does not match the type,
///   `.http(.responseTooLarge)` for a message beyond the limit, `.http(.cancelled)` for a cancelled task.
/// - `.invalidOperation` for an operation that is not a subscription, and `.invalidDocument`.
public struct GraphQLSubscriptionSequence<Data: Decodable & Sendable, Failure: Error>: AsyncSequence, Sendable {
    /// A result of the subscription.
    public typealias Element = GraphQLResult<Data>

    /// The type of ``signals-swift.property``.
    public typealias Signals = ValueSequence<GraphQLSubscriptionSignal<Data>, Failure>

    /// This subscription with all its events: results, connections, heartbeats and waits.
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

    /// Returns this sequence with its errors mapped.
    func mappingErrors<Other: Error>(_ map: @escaping @Sendable (Failure) -> Other) -> GraphQLSubscriptionSequence<Data, Other> {
        GraphQLSubscriptionSequence<Data, Other>(signals: signals.mappingErrors(map))
    }

    /// An iterator over the results.
    public typealias AsyncIterator = ValueSequence<GraphQLResult<Data>, Failure>.AsyncIterator

    /// Creates an iterator. Its first `next()` opens the subscription.
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
    /// Creates a sequence for a mock. Each iteration calls `begin` once, and calls the returned closure for each signal.
    public init(_ begin: @escaping @Sendable () -> @Sendable () async throws(GraphQLError) -> GraphQLSubscriptionSignal<Data>?) {
        signals = Signals(begin)
    }

    /// Creates a sequence for a mock: one connection with these results, then the failure, if any.
    public init(_ results: [GraphQLResult<Data>], failure: GraphQLError? = nil) {
        signals = Signals([.connecting(number: 1), .open(nil)] + results.map { .result($0) }, failure: failure)
    }

    /// Creates a sequence that makes and reads a new loop in each iteration.
    init(_ makeLoop: @escaping @Sendable @autoclosure () -> SubscriptionLoop<Data>) { signals = Signals(makeLoop()) }
}
