internal import MartletEssentials

/// Subscriptions over server-sent events: the “distinct connections mode” of the GraphQL over Server-Sent Events protocol.
///
/// The operation is sent by POST as JSON with `Accept: text/event-stream`. Each `next` event is a result. An event without a type is a
/// result too, because some servers send those. `complete` ends the subscription, with or without a data line. Other events and comments
/// are heartbeats. A new connection sends the last event ID as `Last-Event-ID`, and `retry` sets the wait before it.
enum ServerSentEventsSubscriptionTransport {
    @concurrent static func connect(_ request: SubscriptionRequest) async throws(GraphQLError) -> any SubscriptionConnection {
        try await HTTPSubscription.open(request, accept: "text/event-stream") { response in
            guard let type = response.headers[.contentType], MediaType(type)?.essence == "text/event-stream" else { return nil }
            return BodyConnection(response, EventMessages(response.body, request))
        }
    }
}

/// The messages of an event stream.
struct EventMessages: MessageSource {
    private var parser: EventStreamParser
    private var chunks: HTTPBody.AsyncIterator
    private var waiting: SubscriptionMessage?
    private var id: String?
    private var retry: Duration?

    init(_ body: HTTPBody, _ request: SubscriptionRequest) {
        // Some servers send `event: complete` without a data line. If it were ignored, the client would reconnect forever.
        parser = EventStreamParser(
            lastEventID: request.lastEventID ?? "", keepsComments: true, keepsEmptyEvents: true, maxLineBytes: request.maxMessageBytes,
            maxEventBytes: request.maxMessageBytes)
        chunks = body.makeAsyncIterator()
    }

    mutating func next() async throws(HTTPError) -> SubscriptionMessage? {
        while true {
            if let change = change() { return change }
            if let message = waiting.take() { return message }
            if let item = try parser.next() {
                // A new ID or time that came with the event is delivered first.
                waiting = message(item)
            } else if let change = change() {
                return change
            } else {
                guard let chunk = try await chunks.next() else { return nil }
                parser.push(chunk)
            }
        }
    }

    /// Returns an ID or a reconnection time that the stream has set and that was not delivered yet.
    private mutating func change() -> SubscriptionMessage? {
        if let time = parser.reconnectionTime, time != retry {
            retry = time
            return .retry(time)
        }
        if let new = parser.sendableID, id?.hasSameBytes(as: new) != true {
            id = new
            return .id(new)
        }
        return nil
    }

    private func message(_ item: EventStreamParser.Item) -> SubscriptionMessage {
        guard case .event(let event) = item else { return .heartbeat }
        switch event.type {
        case "next": return .next(Data(event.data.utf8))
        case "complete": return .complete
        case "message" where !event.data.isEmpty: return .next(Data(event.data.utf8))
        default: return .heartbeat
        }
    }
}
