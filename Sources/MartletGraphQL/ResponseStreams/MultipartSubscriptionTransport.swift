internal import MartletEssentials

/// Subscriptions over `multipart/mixed`, as supported by Apollo Router and others (`subscriptionSpec=1.0`).
///
/// The operation is sent by POST as JSON. Each part has a result in its `payload`. An empty part (`{}`) is a heartbeat. `payload: null`
/// with `errors` is an error of the connection, which ends the subscription. The closing boundary completes the subscription.
enum MultipartSubscriptionTransport {
    // This type comes first in Accept, with its boundary, because some servers compare nothing else.
    private static let accept = "multipart/mixed;boundary=\"graphql\";subscriptionSpec=1.0, application/json"

    @concurrent static func connect(_ request: SubscriptionRequest) async throws(GraphQLError) -> any SubscriptionConnection {
        try await HTTPSubscription.open(request, accept: Self.accept) { response in
            guard JSONParts.are(in: response) else { return nil }
            return BodyConnection(response, PartMessages(parts: JSONParts(response), maxBytes: request.maxMessageBytes))
        }
    }
}

/// The messages of a multipart body.
struct PartMessages: MessageSource {
    private(set) var parts: JSONParts
    let maxBytes: Int
    /// The errors that were in the same part as the previous message.
    private(set) var waiting: SubscriptionMessage?
    private(set) var isOver = false

    mutating func next() async throws(HTTPError) -> SubscriptionMessage? {
        if let message = waiting.take() { return message }
        if isOver { return nil }
        let part: JSONParts.Part?
        do throws(HTTPError) { part = try await parts.next(upTo: maxBytes) } catch {
            // The connection is lost, but the subscription is not complete.
            if parts.isCutOff { return nil }
            throw error
        }
        guard let (tree, _) = part else {
            isOver = true
            return .complete
        }
        guard let tree else { return .heartbeat }
        guard case .object(let members) = tree else {
            throw .invalidResponse(Explanation("a part of the subscription is not a JSON object", context: ErrorContext(stage: .decoding)))
        }
        return try message(tree, members)
    }

    private mutating func message(_ tree: JSONValue, _ members: JSONObject) throws(HTTPError) -> SubscriptionMessage {
        guard let payload = members["payload"] else {
            // Either a result without a wrapper, as the oldest of these servers send it, or a heartbeat.
            if members["data"] != nil { return .next(tree.json) }
            let errors = try errors(members["errors"])
            return errors.isEmpty ? .heartbeat : .error(errors)
        }
        let errors = try errors(members["errors"])
        if payload == .null { return errors.isEmpty ? .complete : .error(errors) }
        if !errors.isEmpty { waiting = .error(errors) }
        return .next(payload.json)
    }

    private func errors(_ tree: JSONValue?) throws(HTTPError) -> [GraphQLResponseError] {
        try (tree?.arrayValue ?? []).map { element throws(HTTPError) in try GraphQLResponseError(element) }
    }
}
