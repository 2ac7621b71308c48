internal import MartletEssentials

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
        let target = target
        return ValueSequence(observing: target.observe, failure: failure) { reading in
            var loop = ReconnectingLoop<EventSource>(target, reading, keepsComments: true)
            return { () async throws(HTTPError) in try await loop.next() }
        }
    }
}

/// A step of an event stream, which is a connection, an event, a comment or a wait. See ``EventSequence/signals``.
@nonexhaustive public enum EventSignal: Sendable {
    /// The client is about to open the connection with this number, counted from 1.
    case connecting(number: Int)
    /// The connection is open, with this head of the response.
    case open(HTTPResponse<Void>)
    /// This event arrived.
    case event(ServerSentEvent)
    /// A comment with this text arrived.
    case comment(String)
    /// The connection has ended, and the client will reconnect after this wait. The error says why the connection could not be opened or
    /// broke, that it exceeded the idle timeout, or that its status is one of ``EventReconnection/statuses``. It is nil if the server ended
    /// the stream normally, or ``EventControl/restart()`` was called.
    case reconnecting(after: Duration, because: HTTPError?)
}

/// Reads the values in the data of a stream's events.
struct DecodedEvents<Element: Decodable & Sendable> {
    private let target: EventTarget
    private var loop: ReconnectingLoop<EventSource>?

    private init(_ target: EventTarget, _ reading: ObservedReading) {
        self.target = target
        loop = ReconnectingLoop<EventSource>(target, reading)
    }

    /// Returns the sequence of the values.
    static func sequence<Failure: Error>(
        _ target: EventTarget, failure: @escaping @Sendable (HTTPError) -> Failure
    ) -> ValueSequence<Element, Failure> {
        ValueSequence(observing: target.observe, failure: failure) { reading in
            var events = DecodedEvents(target, reading)
            return { () async throws(HTTPError) in try await events.next() }
        }
    }

    mutating func next() async throws(HTTPError) -> Element? {
        while let event = try await loop?.nextEvent(), let head = loop?.source.head {
            do throws(HTTPError) { return try value(of: event, head) } catch {
                if target.options.skipsUndecodable { continue }
                // Releases the connection, which closes it.
                loop = nil
                throw error
            }
        }
        return nil
    }

    private func value(of event: ServerSentEvent, _ head: HTTPResponse<Void>) throws(HTTPError) -> Element {
        let response = head.map { _ in Data(event.data.utf8) }
        do { return try ResponseDecoding<Element>.decodable.value(of: response, with: target.decoder).body } catch {
            throw error.completed(ifKnown: response.metadata.request, stage: .decoding)
        }
    }
}
