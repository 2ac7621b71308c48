internal import MartletEssentials

/// The request for an event stream, its client and its options.
struct EventTarget: Sendable {
    /// Asks for the stream from an event on; an empty id asks for it from now on, and nil for what the request itself says.
    let connect: @Sendable (_ lastEventID: String?) async throws(HTTPError) -> HTTPResponse<HTTPBody>
    /// Whether asking twice is as asking once.
    let isIdempotent: @Sendable () -> Bool
    /// Whether there is anything to ask with a second time.
    let isReplayable: @Sendable () -> Bool
    /// The id that the first connection begins after.
    let firstEventID: String
    let options: EventOptions
    let time: any TimeSource
    let random: any RandomSource
    let decoder: any BodyDecoder
    /// The group in which a stream is one call, from its first connection to its end.
    var calls: CallGroup?
}

extension EventTarget {
    /// An endpoint, whose parts are read anew for each connection.
    init<E: Endpoint>(_ endpoint: E, client: any HTTPClientProtocol, options: EventOptions) {
        let idleTimeout = options.idleTimeout, call = options.call
        connect = { id async throws(HTTPError) in
            let asked = AdjustedEndpoint(eventsOf: endpoint, after: id, idleTimeout: idleTimeout)
            guard let limit = call.idleTimeout ?? endpoint.options.idleTimeout ?? idleTimeout else {
                return try await client.stream(asked, options: call)
            }
            // A head that does not come is silence too, and the client may have no timeout for it.
            return try await race(
                { () async throws(HTTPError) in try await client.stream(asked, options: call) }, until: client.time.instant + limit,
                time: client.time
            ) {
                let request = try? asked.request(baseURL: client.baseURL, accept: "*/*", encoder: .json, examinesFiles: false)
                return ErrorContext(request: request, stage: .exchange, detail: "no answer for the idle timeout of \(limit)")
            }
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
    /// An endpoint as it asks for an event stream (WHATWG HTML §9.2.2).
    fileprivate init(eventsOf endpoint: Base, after id: String?, idleTimeout: Duration?) {
        self.init(endpoint)
        headers.addMissing([.accept: "text/event-stream", .cacheControl: "no-cache"])
        // One that the server has taken back is not sent again.
        if let id { headers["Last-Event-ID"] = id.isEmpty ? nil : id }
        validation = [.ok, .noContent]
        options.idleTimeout = options.idleTimeout ?? idleTimeout ?? .unlimited
    }
}
