/// Subscriptions over HTTP: ``SubscriptionTransport/serverSentEvents`` or ``SubscriptionTransport/multipart``.
public struct HTTPSubscriptionTransport: SubscriptionTransport {
    private enum Format: Sendable { case multipart, serverSentEvents }

    private let format: Format

    /// Posts the operation.
    @concurrent public func connect(_ request: SubscriptionRequest) async throws(GraphQLError) -> any SubscriptionConnection {
        switch format {
        case .multipart: try await MultipartSubscriptionTransport.connect(request)
        case .serverSentEvents: try await ServerSentEventsSubscriptionTransport.connect(request)
        }
    }

    fileprivate static let multipartFormat = Self(format: .multipart)
    fileprivate static let eventFormat = Self(format: .serverSentEvents)
}

extension SubscriptionTransport where Self == HTTPSubscriptionTransport {
    /// `multipart/mixed`, as in Apollo's router and others (`subscriptionSpec=1.0`).
    ///
    /// The operation is posted as JSON. Each part is a result in its `payload`; an empty one (`{}`) is a sign of life; `payload: null` with
    /// `errors` is an error of the connection. It ends the subscription, and so does the closing boundary.
    public static var multipart: Self { .multipartFormat }

    /// Server-sent events: the “distinct connections mode” of the GraphQL over Server-Sent Events protocol.
    ///
    /// The operation is posted as JSON with `Accept: text/event-stream`. Each `next` event is a result, and so is one without a type, as some
    /// servers send them. `complete` is the end, with or without a line of data. Other events and comments are signs of life. A new connection
    /// sends the last event ID as `Last-Event-ID`, and `retry` sets the wait before it.
    public static var serverSentEvents: Self { .eventFormat }
}
