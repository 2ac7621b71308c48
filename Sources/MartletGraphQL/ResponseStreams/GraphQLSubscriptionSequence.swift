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
    /// One result of the subscription, with data, errors, or both.
    public typealias Element = GraphQLResult<Data>

    /// The type of ``signals-swift.property``, a sequence of all events of the subscription.
    public typealias Signals = ValueSequence<GraphQLSubscriptionSignal<Data>, Failure>

    /// A sequence of everything that happens in this subscription, such as results, connections, heartbeats and waits. Iterating it opens a
    /// subscription of its own.
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

    /// The iterator over the results of one subscription.
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
    /// Creates a sequence for a mock from a closure that begins an iteration and returns its signals one by one. Each iteration calls
    /// `begin` once, and calls the returned closure for each signal.
    public init(_ begin: @escaping @Sendable () -> @Sendable () async throws(GraphQLError) -> GraphQLSubscriptionSignal<Data>?) {
        signals = Signals(begin)
    }

    /// Creates a sequence for a mock, which returns these results over one connection and then throws the failure, if any.
    public init(_ results: [GraphQLResult<Data>], failure: GraphQLError? = nil) {
        signals = Signals([.connecting(number: 1), .open(nil)] + results.map { .result($0) }, failure: failure)
    }

    /// Creates the sequence of a subscription, which each iteration opens for itself.
    init(_ target: SubscriptionTarget) {
        signals = Signals {
            let observed = ObservedReading(target.observe)
            let reading = Reading(ReconnectingLoop<SubscriptionSource<Data>>(target, observed))
            return { () async throws(GraphQLError) in
                try await observed.next(result: { $0.result }) { () async throws(GraphQLError) in try await reading.next() }
            }
        }
    }
}

/// The options for a subscription: its transport, when it reconnects, and limits. Every setting has a default.
public struct GraphQLSubscriptionOptions: Sendable {
    /// The protocol over which the results arrive. Default: server-sent events.
    public var transport: any SubscriptionTransport
    /// The rules by which a lost connection is replaced by a new one. They apply to connections that break, or that end before the
    /// subscription is complete. The HTTP client's clock and random numbers are used.
    ///
    /// Default: as for event streams. A subscription has no side effects, so its request is sent again unless `reconnects` is false; the
    /// loss is then thrown.
    public var reconnection: EventReconnection
    /// The maximum time without bytes, from the request on, before a connection counts as lost, or nil for no limit. Heartbeats reset the
    /// time. An idle timeout of the call has precedence. Default: 5 minutes.
    public var idleTimeout: Duration?
    /// The maximum size of a message in bytes; a larger one throws `.http(.responseTooLarge)`. Default: 16 MiB.
    public var maxMessageBytes: Int
    /// The ID of the last event that an earlier subscription received, to resume after it. The server must support event IDs. Default:
    /// empty, which starts with new events.
    public var lastEventID: String

    /// Creates the options for a subscription. Each parameter has the default of its property.
    public init(
        transport: any SubscriptionTransport = .serverSentEvents, reconnection: EventReconnection = EventReconnection(reconnects: true),
        idleTimeout: Duration? = .seconds(300), maxMessageBytes: Int = 16 << 20, lastEventID: String = ""
    ) {
        self.transport = transport
        self.reconnection = reconnection
        self.idleTimeout = idleTimeout
        self.maxMessageBytes = maxMessageBytes
        self.lastEventID = lastEventID
    }
}

/// An event of a subscription, which is a result or a change of its connection. See ``GraphQLSubscriptionSequence/signals-swift.property``.
@nonexhaustive public enum GraphQLSubscriptionSignal<Data: Sendable>: Sendable {
    /// The connection with this number, from 1, is about to be opened.
    case connecting(number: Int)
    /// The connection is open, with this head of the response, or nil if the transport has none.
    case open(HTTPResponse<Void>?)
    /// The server sent this result.
    case result(GraphQLResult<Data>)
    /// The server sent a heartbeat, which shows that the connection is alive.
    case heartbeat
    /// The connection is lost because of this error, and a new one will be opened after this wait. The error is that of the connection, or
    /// `.http(.invalidResponse)` if the server ended the stream before the subscription was complete. It is nil if the server rejected the
    /// credential, and the credential has been renewed.
    case reconnecting(after: Duration, because: GraphQLError?)

    /// The result of ``result(_:)``, or nil.
    var result: GraphQLResult<Data>? { if case .result(let result) = self { result } else { nil } }
}
