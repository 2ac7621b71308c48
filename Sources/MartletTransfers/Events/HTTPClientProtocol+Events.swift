public import MartletEssentials

// Whatever takes an endpoint has a twin for `Request`, so that a request defined as a static member is asked for by its short name, and
// one for requests whose answer no name tells, so that `.get("feed")` is enough.

extension HTTPClientProtocol {
    /// The events of a stream (server-sent events, WHATWG HTML §9.2), over as many connections as it takes.
    ///
    /// ```swift
    /// for try await event in client.events(.get("feed")) { print(event.type, event.data, event.id) }
    /// ```
    ///
    /// Any request will do: its method, query, fields and body are sent, with `Accept: text/event-stream` and `Cache-Control: no-cache`
    /// unless it says otherwise, and `Last-Event-ID` once there is one. Its own validation and the type of its answer are not looked at.
    /// Its parts are read anew for each connection, which begins at its own URL, wherever the last one was redirected to.
    ///
    /// Requests that are idempotent are sent again when the stream ends or breaks, others are not: see ``EventReconnection``. The total
    /// timeout is that of each connection, up to the head of its answer; ``EventOptions/idleTimeout`` rules there too, and after it. Each
    /// open stream holds a connection, of which a transport makes so many to an origin: calls beyond them wait, and may time out.
    ///
    /// Reading it throws `.statusCode` for a status other than 200 and 204, `.decodingFailed` for an answer that is no event stream,
    /// `.responseTooLarge` (`.line`, `.event`), `.bodyNotReplayable`, `.cancelled`, and what any call throws.
    public func events<E: Endpoint>(_ endpoint: E, options: EventOptions = EventOptions()) -> EventSequence {
        EventSequence(target: EventTarget(endpoint, client: self, options: options))
    }

    /// The events of a stream: see `events(_:options:)` for endpoints.
    public func events<Response: Sendable>(_ request: Request<Response>, options: EventOptions = EventOptions()) -> EventSequence {
        EventSequence(target: EventTarget(request, client: self, options: options))
    }

    /// The events of a stream: see `events(_:options:)` for endpoints.
    public func events(_ request: Request<Data>, options: EventOptions = EventOptions()) -> EventSequence {
        EventSequence(target: EventTarget(request, client: self, options: options))
    }

    /// The values in the data of a stream's events, decoded with ``EventOptions/decoder`` or the client's.
    ///
    /// ```swift
    /// let chunks = client.events(as: Chunk.self, .post("chat", body: .json(prompt)), options: .init(endMarker: "[DONE]"))
    /// for try await chunk in chunks { answer += chunk.text }
    /// ```
    ///
    /// It asks as `events(_:options:)` does. `String` and `Data` are the data as it is.
    public func events<E: Endpoint, Value: Decodable & Sendable>(
        as type: Value.Type, _ endpoint: E, options: EventOptions = EventOptions()
    ) -> DecodedEventSequence<Value> {
        DecodedEventSequence(target: EventTarget(endpoint, client: self, options: options))
    }

    /// The values in the data of a stream's events: see `events(as:_:options:)` for endpoints.
    public func events<Response: Sendable, Value: Decodable & Sendable>(
        as type: Value.Type, _ request: Request<Response>, options: EventOptions = EventOptions()
    ) -> DecodedEventSequence<Value> {
        DecodedEventSequence(target: EventTarget(request, client: self, options: options))
    }

    /// The values in the data of a stream's events: see `events(as:_:options:)` for endpoints.
    public func events<Value: Decodable & Sendable>(
        as type: Value.Type, _ request: Request<Data>, options: EventOptions = EventOptions()
    ) -> DecodedEventSequence<Value> {
        DecodedEventSequence(target: EventTarget(request, client: self, options: options))
    }
}
