internal import MartletEssentials

/// Subscriptions over `multipart/mixed`, as Apollo's router and others have them (`subscriptionSpec=1.0`).
///
/// The operation is posted as JSON. Each part is a result in its `payload`; an empty one (`{}`) is a sign of life; `payload: null` with `errors` is an
/// error of the connection, which ends the subscription, and so does the closing boundary.
enum MultipartSubscriptionTransport {
    // First in Accept, and with its boundary: some servers look at nothing else.
    private static let accept = "multipart/mixed;boundary=\"graphql\";subscriptionSpec=1.0, application/json"

    /// Posts the operation.
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
    /// What came in the same part as the message before.
    private(set) var waiting: SubscriptionMessage?
    private(set) var isOver = false

    mutating func next() async throws(HTTPError) -> SubscriptionMessage? {
        if let message = waiting.take() { return message }
        if isOver { return nil }
        let part: JSONParts.Part?
        do throws(HTTPError) { part = try await parts.next(upTo: maxBytes) } catch {
            // The connection has ended, but not the subscription.
            if parts.isCutOff { return nil }
            throw error
        }
        guard let (tree, _) = part else {
            isOver = true
            return .complete
        }
        guard let tree else { return .heartbeat }
        guard case .object(let members) = tree else {
            throw .invalidResponse(Explanation("a part of the subscription is no object", context: ErrorContext(stage: .decoding)))
        }
        return try message(tree, members)
    }

    private mutating func message(_ tree: JSONValue, _ members: JSONObject) throws(HTTPError) -> SubscriptionMessage {
        guard let payload = members["payload"] else {
            // Not wrapped, as the oldest of these servers have it; or a sign of life.
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
