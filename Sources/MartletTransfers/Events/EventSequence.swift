/// An asynchronous sequence of the events of a stream, as they arrive (WHATWG HTML §9.2). `events(_:options:)` of a client returns it.
///
/// Nothing is sent before the sequence is iterated, and each iteration has its own connections. It ends when the server responds with 204,
/// at ``EventOptions/endMarker``, and with the stream if the request is not sent again: see ``EventReconnection``. Leaving the loop or
/// cancelling the task closes the connection. A cancelled task throws `.cancelled`, also while it waits for the next connection.
///
/// Write a loop that you leave early in a function. At the top level of `main.swift`, its iterator, and with it the connection, exists
/// until the program ends.
///
/// Events are not read ahead of the loop's body: a slow reader slows the server down.
public struct EventSequence<Failure: Error>: AsyncSequence, Sendable {
    /// An event of the stream, with its type, data and ID.
    public typealias Element = ServerSentEvent

    let target: EventTarget
    let failure: @Sendable (HTTPError) -> Failure

    /// The iterator over the events of a stream, with connections of its own.
    public typealias AsyncIterator = ValueSequence<ServerSentEvent, Failure>.AsyncIterator

    /// Begins an iteration.
    public func makeAsyncIterator() -> AsyncIterator {
        let (target, failure) = (target, failure)
        return ValueSequence<ServerSentEvent, Failure> {
            let reading = ObservedReading(target.observe)
            var loop = ReconnectingLoop<EventSource>(target, reading)
            return { () async throws(Failure) in
                if let event = loop.arrivedEvent() { return event }
                do throws(HTTPError) {
                    return try await reading.next { () async throws(HTTPError) in try await loop.nextEvent() }
                } catch { throw failure(error) }
            }
        }.makeAsyncIterator()
    }

    /// A sequence of everything that happens on the stream, which are connections, comments and waits in addition to the events. Iterating
    /// it opens connections of its own.
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
            let reading = ObservedReading(target.observe)
            var loop = ReconnectingLoop<EventSource>(target, reading, keepsComments: true)
            return { () async throws(Failure) in
                do throws(HTTPError) {
                    return try await reading.next { () async throws(HTTPError) in try await loop.next() }
                } catch { throw failure(error) }
            }
        }
    }
}
