public import MartletEssentials

// Every method that takes an endpoint has a twin for `Request`, so that a request defined as a static member is sent by its short name, and
// one for `Request<Data>`, so that `.get("feed")` is enough.

extension EndpointClient {
    /// Returns the events of a stream (server-sent events, WHATWG HTML §9.2), over as many connections as it takes.
    ///
    /// ```swift
    /// for try await event in client.events(.get("feed")) { print(event.type, event.data, event.id) }
    /// ```
    ///
    /// Any request can be sent: its method, query, header fields and body, with `Accept: text/event-stream` and `Cache-Control: no-cache`
    /// unless it has these fields, and with `Last-Event-ID` as soon as there is one. Its validation and its response type are ignored. Its
    /// parts are read again for each connection, which begins at the request's own URL, wherever the previous one was redirected.
    ///
    /// An idempotent request is sent again when the stream ends or breaks: see ``EventReconnection``. The total timeout limits each
    /// connection up to the response's head; ``EventOptions/idleTimeout`` limits its silence, before and after the head. Each open stream
    /// occupies a connection. A transport has a maximum number of connections to an origin: further calls wait and may time out.
    ///
    /// - Throws: while it is read, `.statusCode` for a status other than 200 and 204, `.decodingFailed` for a response that is not an event
    ///   stream, `.responseTooLarge` (`.line`, `.event`), `.bodyNotReplayable`, `.cancelled`, and the errors of any call.
    public func events<E: Endpoint>(_ endpoint: E, options: EventOptions = EventOptions()) -> EventSequence<Failure> {
        EventSequence(target: EventTarget(endpoint, client: httpClient, options: options), failure: failure)
    }

    /// Returns the events of a stream: see `events(_:options:)` for endpoints.
    public func events<Response: Sendable>(
        _ request: Request<Response>, options: EventOptions = EventOptions()
    ) -> EventSequence<Failure> {
        EventSequence(target: EventTarget(request, client: httpClient, options: options), failure: failure)
    }

    /// Returns the events of a stream: see `events(_:options:)` for endpoints.
    public func events(_ request: Request<Data>, options: EventOptions = EventOptions()) -> EventSequence<Failure> {
        EventSequence(target: EventTarget(request, client: httpClient, options: options), failure: failure)
    }

    /// Returns the values in the data of a stream's events, decoded by ``EventOptions/decoder`` or the client's decoder.
    ///
    /// ```swift
    /// let chunks = client.events(.post("chat", body: .json(prompt)), as: Chunk.self, options: .init(endMarker: "[DONE]"))
    /// for try await chunk in chunks { answer += chunk.text }
    /// ```
    ///
    /// It sends requests as `events(_:options:)` does. As `String` or `Data`, the values are the data itself.
    ///
    /// Data that can't be decoded throws `.decodingFailed`, whose response has the data as its body, and ends the sequence, unless
    /// ``EventOptions/skipsUndecodable`` leaves it out.
    public func events<E: Endpoint, Value: Decodable & Sendable>(
        _ endpoint: E, as type: Value.Type, options: EventOptions = EventOptions()
    ) -> ValueSequence<Value, Failure> {
        DecodedEvents.sequence(EventTarget(endpoint, client: httpClient, options: options), failure: failure)
    }

    /// Returns the values in the data of a stream's events: see `events(_:as:options:)` for endpoints.
    public func events<Response: Sendable, Value: Decodable & Sendable>(
        _ request: Request<Response>, as type: Value.Type, options: EventOptions = EventOptions()
    ) -> ValueSequence<Value, Failure> {
        DecodedEvents.sequence(EventTarget(request, client: httpClient, options: options), failure: failure)
    }

    /// Returns the values in the data of a stream's events: see `events(_:as:options:)` for endpoints.
    public func events<Value: Decodable & Sendable>(
        _ request: Request<Data>, as type: Value.Type, options: EventOptions = EventOptions()
    ) -> ValueSequence<Value, Failure> {
        DecodedEvents.sequence(EventTarget(request, client: httpClient, options: options), failure: failure)
    }
}
