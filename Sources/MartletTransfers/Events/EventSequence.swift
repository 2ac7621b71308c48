/// The events of a stream, as they arrive (WHATWG HTML §9.2): what `events(_:options:)` gives.
///
/// Nothing is sent before it is iterated; each iteration has connections of its own. It ends when the server answers 204, at
/// ``EventOptions/endMarker``, and, where nothing is sent again, with the stream: see ``EventReconnection``. Leaving the loop or
/// cancelling the task closes the connection; a cancelled task throws `.cancelled`, also while it waits for the next connection.
///
/// No event is read ahead of the loop's body: a slow reader stops the server.
public struct EventSequence<Failure: Error>: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = ServerSentEvent

    let target: EventTarget
    let failure: @Sendable (HTTPError) -> Failure

    /// The events, one after the other.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var signals: Signals.AsyncIterator

        /// Returns the next event, or nil at the end.
        public mutating func next() async throws(Failure) -> ServerSentEvent? {
            while let signal = try await signals.next() {
                if case .event(let event) = signal { return event }
            }
            return nil
        }
    }

    /// Begins to read.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(signals: .init(loop: EventLoop(target), failure: failure)) }

    /// The same stream with all that happens on it: connections, comments and waits besides the events.
    ///
    /// ```swift
    /// for try await signal in client.events(.get("feed")).signals {
    ///     switch signal {
    ///     case .open: status = .live
    ///     case .event(let event): show(event)
    ///     case .reconnecting(let wait, _): status = .offline(retryIn: wait)
    ///     default: break
    ///     }
    /// }
    /// ```
    public var signals: Signals { Signals(target: target, failure: failure) }

    /// All that happens on an event stream.
    public struct Signals: AsyncSequence, Sendable {
        /// What happens.
        public typealias Element = EventSignal

        fileprivate let target: EventTarget
        fileprivate let failure: @Sendable (HTTPError) -> Failure

        /// What happens, step by step.
        public struct AsyncIterator: AsyncIteratorProtocol {
            fileprivate var loop: EventLoop
            fileprivate let failure: @Sendable (HTTPError) -> Failure

            /// Returns what happens next, or nil at the end.
            public mutating func next() async throws(Failure) -> EventSignal? {
                do throws(HTTPError) { return try await loop.next() } catch { throw failure(error) }
            }
        }

        /// Begins to read.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(loop: EventLoop(target, keepsComments: true), failure: failure) }
    }
}
