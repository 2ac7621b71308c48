internal import MartletEssentials

/// The request for an event stream, its client and its options.
struct EventTarget: Sendable {
    /// Requests the stream after an event. An empty id requests it without one, and nil keeps the request's own field.
    let connect: @Sendable (_ lastEventID: String?, _ observed: ObservedCall?) async throws(HTTPError) -> HTTPResponse<HTTPBody>
    /// Whether sending the request twice has the same effect as sending it once.
    let isIdempotent: @Sendable () -> Bool
    /// Whether the request's body can be sent again.
    let isReplayable: @Sendable () -> Bool
    /// The id after which the first connection begins.
    let firstEventID: String
    let options: EventOptions
    let time: any TimeSource
    let random: any RandomSource
    let decoder: any BodyDecoder
    /// The group in which a stream is one call, from its first connection to its end.
    var calls: CallGroup?
    /// Begins the observation of a stream, or returns nil without observers.
    var observe: @Sendable () -> ObservedCall? = { nil }
}

extension EventTarget {
    /// Creates a target from an endpoint, whose properties are read again for each connection.
    init<E: Endpoint>(_ endpoint: E, client: any HTTPClientProtocol, options: EventOptions) {
        let idleTimeout = options.idleTimeout, call = options.call
        observe = { client.observe(.events, endpoint, call) }
        connect = { id, observed async throws(HTTPError) in
            let asked = AdjustedEndpoint(eventsOf: endpoint, after: id, idleTimeout: idleTimeout, call)
            return try await client.stream(asked, options: call.observed(by: observed))
        }
        isIdempotent = { endpoint.method.isIdempotent || endpoint.headers.hasIdempotencyKey }
        isReplayable = { endpoint.body?.isReplayable ?? true }
        firstEventID = options.lastEventID.isEmpty ? endpoint.headers["Last-Event-ID"] ?? "" : options.lastEventID
        self.options = options
        time = client.time
        random = client.random
        decoder = options.decoder ?? client.decoder
        calls = client.calls
    }
}

extension AdjustedEndpoint {
    /// Creates the request for an event stream (WHATWG HTML §9.2.2).
    fileprivate init(eventsOf endpoint: Base, after id: String?, idleTimeout: Duration?, _ call: CallOptions) {
        self.init(endpoint)
        headers.addMissing([.accept: "text/event-stream", .cacheControl: "no-cache"])
        // An id that the server has reset to empty is not sent again.
        if let id { headers["Last-Event-ID"] = id.isEmpty ? nil : id }
        validation = [.ok, .noContent]
        options.idleTimeout = options.idleTimeout ?? idleTimeout ?? .unlimited
        // The idle timeout also covers the wait for the head, for which the client may have no timeout.
        options.context.headTimeout = call.idleTimeout ?? options.idleTimeout
    }
}
