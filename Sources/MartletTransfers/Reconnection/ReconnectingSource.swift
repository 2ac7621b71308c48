/// What a ``ReconnectingLoop`` reads: how a connection is opened, what its messages mean, and what the next connection needs to know.
///
/// The loop does everything else: it waits, reconnects, restarts, ends, and obeys cancellation and deadlines.
package protocol ReconnectingSource: Sendable {
    /// An element of the sequence, which is a message or a change of the connection.
    associatedtype Signal: ReconnectionSignal
    /// What opening a connection returns.
    associatedtype Response: Sendable
    /// An open connection. Releasing it closes it.
    associatedtype Connection: AnyObject
    /// The error of the sequence.
    associatedtype Failure: Error

    /// Prepares a connection. It is called as soon as the connection is certain: before the wait for it, except for the first connection.
    ///
    /// - Parameters:
    ///   - number: The number of the connection, from 1.
    ///   - error: The failure that the connection follows, if any.
    /// - Throws: An error that ends the sequence.
    mutating func prepare(_ number: Int, after error: HTTPError?) throws(Failure)

    /// Opens a connection. It is cancelled by the reader's task, by the call, and by a restart.
    func connect() async throws(Failure) -> Response

    /// Returns what the outcome of ``connect()`` means. Throws an error that ends the sequence.
    mutating func opened(_ outcome: Result<Response, Failure>) throws(Failure) -> ConnectionStep<Self>

    /// Returns the next signal of a connection if it has arrived already. Anything else that has arrived is a step of the next
    /// ``read(_:noting:)``.
    mutating func arrived(on connection: Connection, noting history: inout ReconnectionHistory) -> Signal?

    /// Waits for the next step of a connection. Throws an error that ends the sequence.
    mutating func read(
        _ connection: Connection, noting history: inout ReconnectionHistory
    ) async throws(Failure) -> ConnectionStep<Self>

    /// Returns the sequence's form of an error of the loop itself.
    static func failure(_ error: HTTPError) -> Failure
}

extension ReconnectingSource {
    package mutating func arrived(on connection: Connection, noting history: inout ReconnectionHistory) -> Signal? { nil }
}

/// A signal of a sequence with several connections. Each source adds signals of its own.
package protocol ReconnectionSignal: Sendable {
    /// The reason for another connection.
    associatedtype Reason: Sendable
    /// The connection with this number, from 1, is about to be opened.
    static func connecting(number: Int) -> Self
    /// The connection has ended for this reason, and another one follows after this wait.
    static func reconnecting(after: Duration, because: Reason) -> Self
}

/// A step of a connection, as a source reports it to its loop.
package enum ConnectionStep<Source: ReconnectingSource> {
    /// This signal is for the reader.
    case signal(Source.Signal)
    /// Nothing is for the reader.
    case nothing
    /// The connection is open. The closure closes it from any thread and does not keep it open.
    indirect case opened(Source.Connection, Source.Signal, interruption: @Sendable () -> Void)
    /// The stream is complete.
    case finished
    /// Another connection is needed immediately, for this reason.
    indirect case again(Source.Signal.Reason)
    /// The connection is lost.
    indirect case lost(ConnectionLoss<Source>)
}

/// The loss of a connection.
package struct ConnectionLoss<Source: ReconnectingSource> {
    /// Why the connection ended, for the decision about another one.
    let cause: ConnectionEnd.Cause
    /// The error if no connection follows, or nil if the sequence then ends without one.
    let error: Source.Failure?
    /// The reason that the reader gets if another connection follows.
    let reason: Source.Signal.Reason
    /// Whether sending the request twice has the same effect as sending it once.
    let isIdempotent: Bool
    /// The last request that was sent, if known.
    let request: HTTPRequest?

    package init(
        _ cause: ConnectionEnd.Cause, error: Source.Failure?, because reason: Source.Signal.Reason, isIdempotent: Bool = true,
        request: HTTPRequest? = nil
    ) {
        self.cause = cause
        self.error = error
        self.reason = reason
        self.isIdempotent = isIdempotent
        self.request = request
    }

    /// The failure of the connection, if that is what ended it.
    var failure: HTTPError? { if case .failed(let error) = cause { error } else { nil } }
}
