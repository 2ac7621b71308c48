internal import MartletEssentials
internal import MartletSystem

/// What transports over HTTP have in common: an operation is posted, and its answer is the connection.
enum HTTPSubscription {
    /// Posts the operation. An answer that `read` makes no connection of is read as GraphQL over HTTP has it: errors are thrown, and data are the one
    /// message there is.
    static func open(
        _ request: SubscriptionRequest, accept: String,
        read: (HTTPResponse<HTTPBody>) -> (any SubscriptionConnection)?
    ) async throws(GraphQLError) -> any SubscriptionConnection {
        let whole: HTTPResponse<Data>
        do throws(HTTPError) {
            let response = try await request.client.stream(request.endpoint(accept: accept))
            if response.status.kind == .successful, let connection = read(response) { return connection }
            // As for event streams: the server wants to be asked no more.
            if response.status == .noContent { return WholeConnection(response.map { _ in }, [.complete]) }
            let body = try await response.body.collect(upTo: request.maxAnswerBytes)
            whole = response.map { _ in body }
        } catch { throw .http(error) }
        let answer = try GraphQLResponseReader.read(
            whole, as: IgnoredData.self, operationName: request.operation.operationName, decoder: .json)
        if case .failed(let errors) = answer.result { throw .response(errors) }
        return WholeConnection(answer.http, [.next(whole.body), .complete])
    }
}

/// A connection whose messages are all there.
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

/// A connection whose messages are read from a body, by whoever knows its format.
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
        // Taken out while a message is awaited, and held by one alone, so that what it has read is not copied.
        guard var reading = source.withLock({ $0.take() }) else {
            throw .invalidOperation("the subscription is being read by somebody else at this moment")
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

/// Reads messages from a body.
protocol MessageSource: Sendable {
    /// The next message; nil at the end of the body.
    mutating func next() async throws(HTTPError) -> SubscriptionMessage?
}
