internal import MartletEssentials

/// Subscriptions over server-sent events: the “distinct connections mode” of the GraphQL over Server-Sent Events protocol.
///
/// The operation is posted as JSON with `Accept: text/event-stream`. Each `next` event is a result, and so is one without a type, as some
/// servers send them; `complete` is the end, with or without a line of data. Other events, and comments, are signs of life. Ids that
/// events have are told the server as `Last-Event-ID` when the connection is made again, and `retry` is heeded.
enum ServerSentEventsSubscriptionTransport {
    /// Posts the operation.
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
        // Some servers end with `event: complete` and no line of data: if it went unseen, they would be asked again for ever.
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
                // What came along with an event is told before it.
                waiting = message(item)
            } else if let change = change() {
                return change
            } else {
                guard let chunk = try await chunks.next() else { return nil }
                parser.push(chunk)
            }
        }
    }

    /// An id or a time that the stream has set and nobody was told yet.
    private mutating func change() -> SubscriptionMessage? {
        if let time = parser.reconnectionTime, time != retry {
            retry = time
            return .retry(time)
        }
        if let new = parser.sendableID, new != id {
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
