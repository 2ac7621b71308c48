/// A subscription transport over HTTP, with server-sent events or multipart responses. Its values are
/// ``SubscriptionTransport/serverSentEvents`` and ``SubscriptionTransport/multipart``.
public struct HTTPSubscriptionTransport: SubscriptionTransport {
    private enum Format: Sendable { case multipart, serverSentEvents }

    private let format: Format

    /// Sends the operation by POST and returns its streamed response as a connection.
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
    /// The transport for results in a `multipart/mixed` response, as sent by Apollo's router and others (`subscriptionSpec=1.0`).
    ///
    /// The operation is sent by POST as JSON. Each part has a result in its `payload`. An empty part (`{}`) is a heartbeat. `payload: null`
    /// with `errors` is an error of the connection, which ends the subscription. The closing boundary completes the subscription.
    public static var multipart: Self { .multipartFormat }

    /// The transport for results as server-sent events, in the “distinct connections mode” of the GraphQL over Server-Sent Events protocol.
    ///
    /// The operation is sent by POST as JSON with `Accept: text/event-stream`. Each `next` event is a result. An event without a type is a
    /// result too, because some servers send those. `complete` ends the subscription, with or without a data line. Other events and
    /// comments are heartbeats. A new connection sends the last event ID as `Last-Event-ID`, and `retry` sets the wait before it.
    public static var serverSentEvents: Self { .eventFormat }
}
