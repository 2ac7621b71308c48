public import MartletEssentials

// The variants for `Request<Data>` are for `.get("feed")` and `.post("feed")`, whose response type nothing names, and so not disfavoured.
// Those for `Request<Response>` are for static members of `Request`, which can only be found through a parameter of this type.

extension EndpointClient {
    /// Returns a sequence of server-sent events (WHATWG HTML §9.2), which sends an idempotent request again when its stream ends or breaks.
    ///
    /// ```swift
    /// for try await event in client.events(.get("feed")) { print(event.type, event.data, event.id) }
    /// ```
    ///
    /// Any request can be sent, with its method, query, header fields and body. The client adds `Accept: text/event-stream` and
    /// `Cache-Control: no-cache` unless the request has these fields, and `Last-Event-ID` as soon as there is one. The validation and the
    /// response type of the request are ignored. Its properties are read again for each connection, which begins at the request's own URL,
    /// even if the previous one was redirected.
    ///
    /// An idempotent request is sent again when the stream ends or breaks: see ``EventReconnection``. The total timeout limits each
    /// connection up to the response's head. ``EventOptions/idleTimeout`` limits the time without bytes, before and after the head. Each
    /// open stream occupies a connection. A transport has a maximum number of connections to an origin: further calls wait and may time
    /// out.
    ///
    /// - Throws: During iteration, `.statusCode` for a status other than 200 and 204, `.decodingFailed` for a response that is not an event
    ///   stream, `.responseTooLarge` (`.line`, `.event`), `.bodyNotReplayable`, `.cancelled`, and the errors of any call.
    @_disfavoredOverload
    public func events<E: Endpoint>(_ endpoint: E, options: EventOptions = EventOptions()) -> EventSequence<Failure> {
        EventSequence(target: EventTarget(endpoint, client: httpClient, options: options), failure: failure)
    }

    /// Returns a sequence of server-sent events, which sends an idempotent request again when its stream ends or breaks. See
    /// `events(_:options:)` for endpoints.
    @_disfavoredOverload
    public func events<Response: Sendable>(
        _ request: Request<Response>, options: EventOptions = EventOptions()
    ) -> EventSequence<Failure> {
        EventSequence(target: EventTarget(request, client: httpClient, options: options), failure: failure)
    }

    /// Returns a sequence of server-sent events, which sends an idempotent request again when its stream ends or breaks. See
    /// `events(_:options:)` for endpoints.
    public func events(_ request: Request<Data>, options: EventOptions = EventOptions()) -> EventSequence<Failure> {
        EventSequence(target: EventTarget(request, client: httpClient, options: options), failure: failure)
    }

    /// Returns a sequence of the values decoded from the data of server-sent events, by ``EventOptions/decoder`` or the client's decoder.
    ///
    /// ```swift
    /// let chunks = client.events(.post("chat", body: .json(prompt)), as: Chunk.self, options: .init(endMarker: "[DONE]"))
    /// for try await chunk in chunks { answer += chunk.text }
    /// ```
    ///
    /// Requests are sent as in `events(_:options:)`. With `String` or `Data` as the type, the values are the data itself.
    ///
    /// Data that can't be decoded ends the sequence with `.decodingFailed`, whose response has the data as its body. With
    /// ``EventOptions/skipsUndecodable``, it is skipped instead.
    @_disfavoredOverload
    public func events<E: Endpoint, Value: Decodable & Sendable>(
        _ endpoint: E, as type: Value.Type, options: EventOptions = EventOptions()
    ) -> ValueSequence<Value, Failure> {
        DecodedEvents.sequence(EventTarget(endpoint, client: httpClient, options: options), failure: failure)
    }

    /// Returns a sequence of the values decoded from the data of server-sent events. See `events(_:as:options:)` for endpoints.
    @_disfavoredOverload
    public func events<Response: Sendable, Value: Decodable & Sendable>(
        _ request: Request<Response>, as type: Value.Type, options: EventOptions = EventOptions()
    ) -> ValueSequence<Value, Failure> {
        DecodedEvents.sequence(EventTarget(request, client: httpClient, options: options), failure: failure)
    }

    /// Returns a sequence of the values decoded from the data of server-sent events. See `events(_:as:options:)` for endpoints.
    public func events<Value: Decodable & Sendable>(
        _ request: Request<Data>, as type: Value.Type, options: EventOptions = EventOptions()
    ) -> ValueSequence<Value, Failure> {
        DecodedEvents.sequence(EventTarget(request, client: httpClient, options: options), failure: failure)
    }
}
