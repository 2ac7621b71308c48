/// The events of a stream, as they arrive (WHATWG HTML §9.2): what `events(_:options:)` gives.
///
/// Nothing is sent before it is iterated; each iteration has connections of its own. It ends when the server answers 204, at
/// ``EventOptions/endMarker``, and, where nothing is sent again, with the stream: see ``EventReconnection``. Leaving the loop or
/// cancelling the task closes the connection; a cancelled task throws `.cancelled`, also while it waits for the next connection. Write a loop
/// that you leave early in a function: at the top level of `main.swift`, its iterator, and so the connection, exists until the program ends.
///
/// No event is read ahead of the loop's body: a slow reader stops the server.
public struct EventSequence<Failure: Error>: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = ServerSentEvent

    let target: EventTarget
    let failure: @Sendable (HTTPError) -> Failure

    /// The events, one after the other.
    public typealias AsyncIterator = ValueSequence<ServerSentEvent, Failure>.AsyncIterator

    /// Begins to read.
    public func makeAsyncIterator() -> AsyncIterator {
        let (target, failure) = (target, failure)
        return ValueSequence<ServerSentEvent, Failure> {
            var loop = EventLoop(target)
            return { () async throws(Failure) in
                do throws(HTTPError) {
                    while let signal = try await loop.next() {
                        if case .event(let event) = signal { return event }
                    }
                    return nil
                } catch { throw failure(error) }
            }
        }.makeAsyncIterator()
    }

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
    public var signals: ValueSequence<EventSignal, Failure> {
        let (target, failure) = (target, failure)
        return ValueSequence {
            var loop = EventLoop(target, keepsComments: true)
            return { () async throws(Failure) in
                do throws(HTTPError) { return try await loop.next() } catch { throw failure(error) }
            }
        }
    }
}
