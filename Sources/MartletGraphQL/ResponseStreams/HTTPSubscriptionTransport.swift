internal import MartletEssentials
internal import MartletSystem

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

/// The common part of transports over HTTP: the operation is sent by POST, and the response is the connection.
enum HTTPSubscription {
    /// Returns the error for a response in the format of the other transport, or nil if it has none of the two formats.
    ///
    /// - Parameter response: A response of which the own transport can make no connection.
    static func otherFormat(_ response: HTTPResponse<Void>) -> HTTPError? {
        guard let type = response.headers[.contentType].flatMap({ MediaType($0) }) else { return nil }
        let transport: String
        switch (type.type, type.essence) {
        case ("multipart", _): transport = ".multipart"
        case (_, "text/event-stream"): transport = ".serverSentEvents"
        default: return nil
        }
        let reason =
            "the response is \(Redaction.line(type.essence, limit: 100)): use the subscription transport \(transport) for this server"
        return .decodingFailed(
            DecodingFailure(
                type: "a subscription", reason: reason, response: response.map { _ in Data() },
                context: ErrorContext(request: response.metadata.request, stage: .validation)))
    }

    /// Sends the operation. If `read` makes no connection of the response, it is read as an ordinary GraphQL response: errors are thrown,
    /// and data is the only message. A response in the format of the other transport is an error.
    static func open(
        _ request: SubscriptionRequest, accept: String,
        read: (HTTPResponse<HTTPBody>) -> (any SubscriptionConnection)?
    ) async throws(GraphQLError) -> any SubscriptionConnection {
        let whole: HTTPResponse<Data>
        do throws(HTTPError) {
            let response = try await request.client.stream(request.endpoint(accept: accept))
            if response.status.kind == .successful {
                if let connection = read(response) { return connection }
                // It may never end, so it is not collected.
                if let error = otherFormat(response.map { _ in }) { throw error }
            }
            // As for event streams, 204 means that the client must not reconnect.
            if response.status == .noContent { return WholeConnection(response.map { _ in }, [.complete]) }
            let body = try await wholeBody(of: response, request)
            whole = response.map { _ in body }
        } catch { throw .http(error) }
        let answer: GraphQLResponse<IgnoredData>
        do throws(GraphQLError) {
            answer = try GraphQLResponseReader.read(
                whole, as: IgnoredData.self, operationName: request.operation.operationName, decoder: .json)
            if case .failed(let errors) = answer.result { throw .response(errors) }
        } catch { throw error.withHint(in: whole) }
        return WholeConnection(answer.http, [.next(whole.body), .complete])
    }

    /// Returns the body of a response that is not a stream. The idle timeout limits all of it, because the request has none.
    private static func wholeBody(of response: HTTPResponse<HTTPBody>, _ request: SubscriptionRequest) async throws(HTTPError) -> Data {
        let body = response.body, head = response.metadata.request, maxBytes = request.maxAnswerBytes, time = request.client.time
        let collect = { @Sendable () async throws(HTTPError) in try await body.collect(upTo: maxBytes) }
        guard let limit = request.idleTimeout else { return try await collect() }
        return try await race(collect, until: time.instant + limit, time: time) {
            ErrorContext(
                request: head, stage: .body, detail: "the response was not complete within the idle timeout of \(limit.shortText)")
        }
    }
}

extension GraphQLError {
    private static let hint =
        "the server sent one response in place of a stream; it may offer subscriptions only over WebSocket: use the subscription transport "
        + ".webSocket"

    /// Returns the error of a JSON response in place of a stream with a hint for developers, unless the status or the code says enough.
    func withHint(in whole: HTTPResponse<Data>) -> GraphQLError {
        let isJSON = whole.headers[.contentType].flatMap { MediaType($0) }?.isJSON == true
        guard isJSON, whole.status.kind == .successful || whole.status == .badRequest, !isAuthenticationError else { return self }
        switch self {
        case .response(let errors):
            return .response(
                errors.map { error in
                    var context = error.context
                    context.hint = GraphQLError.hint
                    return error.within(context)
                })
        case .http(var error):
            error.context.detail += (error.context.detail.isEmpty ? "" : "; ") + GraphQLError.hint
            return .http(error)
        default: return self
        }
    }
}

/// A connection whose messages have all been received.
final class WholeConnection: SubscriptionConnection {
    let response: HTTPResponse<Void>?
    private let rest: Locked<ArraySlice<SubscriptionMessage>>

    init(_ response: HTTPResponse<Void>, _ messages: [SubscriptionMessage]) {
        self.response = response
        rest = Locked(messages[...])
    }

    func next() async throws(GraphQLError) -> SubscriptionMessage? { rest.withLock { $0.popFirst() } }

    func close() {}
}

/// A connection whose messages are read from a body by a source that knows its format.
final class BodyConnection<Source: MessageSource>: SubscriptionConnection {
    let response: HTTPResponse<Void>?
    private let source: Locked<Source?>
    private let closer: @Sendable () -> Void

    init(_ response: HTTPResponse<HTTPBody>, _ source: Source) {
        self.response = response.map { _ in }
        closer = response.body.interruption
        self.source = Locked(source)
    }

    func next() async throws(GraphQLError) -> SubscriptionMessage? {
        // Taken out while a message is awaited, so that the source's buffers have one owner and are not copied.
        guard var reading = source.withLock({ $0.take() }) else {
            throw .invalidOperation("two tasks read the same subscription at the same time: use one iterator per task")
        }
        let outcome: Result<SubscriptionMessage?, HTTPError>
        do throws(HTTPError) { outcome = .success(try await reading.next()) } catch { outcome = .failure(error) }
        let rest = reading
        source.withLock { $0 = rest }
        do throws(HTTPError) { return try outcome.get() } catch {
            throw .http(error.completed(ifKnown: response?.metadata.request, stage: .body))
        }
    }

    func close() { closer() }
}

/// Reads messages from a body in one format.
protocol MessageSource: Sendable {
    /// Returns the next message, or nil at the end of the body.
    mutating func next() async throws(HTTPError) -> SubscriptionMessage?
}
