#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What is asked for an event stream, and by whom.
struct EventTarget: Sendable {
    /// Asks for the stream from an event on; an empty id asks for it from now on.
    let connect: @Sendable (_ lastEventID: String) async throws(HTTPError) -> HTTPResponse<HTTPBody>
    /// Whether asking twice is as asking once.
    let isIdempotent: @Sendable () -> Bool
    /// Whether there is anything to ask with a second time.
    let isReplayable: @Sendable () -> Bool
    let time: any TimeSource
    let decoder: any BodyDecoder

    /// Whether an id can stand in a field: others were given by mistake or by malice, and would end every reconnection.
    static func canSend(_ id: String) -> Bool { id.utf8.count <= 4096 && id.utf8.allSatisfy(Token.isFieldContent) }
}

extension EventTarget {
    /// An endpoint, whose parts are read anew for each connection.
    init<E: Endpoint>(_ endpoint: E, client: some HTTPClientProtocol, options: EventOptions) {
        let idleTimeout = options.idleTimeout
        connect = { id async throws(HTTPError) in
            try await client.stream(AdjustedEndpoint(eventsOf: endpoint, after: id, idleTimeout: idleTimeout))
        }
        isIdempotent = {
            endpoint.method.isIdempotent || endpoint.headers[.idempotencyKey].map { !$0.trimmingWhitespace.isEmpty } ?? false
        }
        isReplayable = { endpoint.body?.isReplayable ?? true }
        time = client.time
        decoder = client.decoder
    }
}

extension AdjustedEndpoint {
    /// Longer than any connection lives: what is silent for no limit.
    private static var never: Duration { .seconds(100 * 365 * 86_400) }

    /// An endpoint as it asks for an event stream (WHATWG HTML §9.2.2).
    fileprivate init(eventsOf endpoint: Base, after id: String, idleTimeout: Duration?) {
        self.init(endpoint)
        headers.addMissing([.accept: "text/event-stream", .cacheControl: "no-store"])
        if !id.isEmpty { headers["Last-Event-ID"] = id }
        validation = [.ok, .noContent]
        options.idleTimeout = options.idleTimeout ?? idleTimeout ?? Self.never
    }
}
