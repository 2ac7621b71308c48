internal import MartletEssentials
internal import MartletSystem

/// The open connections of a transport. Operations share one if they have the same client, endpoint, header fields and user.
///
/// It fails closed: if the credential of a handshake does not show to whom it belongs, the connection has a single operation.
final class GraphQLSocketPool: Sendable {
    /// What operations on one connection have in common.
    struct Key: Hashable, Sendable {
        /// The clients that copies of a `GraphQLClient` have in common.
        let owner: Owner
        let place: String
        let headers: HTTPFields
        let protocols: [GraphQLSocketProtocol]
        let scope: String?
        /// The identity of the connection's parameters.
        let identity: String

        struct Owner: Hashable, Sendable {
            let client: any AnyObject & Sendable
            static func == (one: Self, other: Self) -> Bool { one.client === other.client }
            func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(client)) }
        }
    }

    /// A connection, and to whom its handshake belongs.
    private struct Entry: Sendable {
        let connection: GraphQLSocketConnection
        let sharing: Sharing
    }

    /// Whether later operations may use a connection.
    private enum Sharing: Sendable {
        /// Everything in the handshake that belongs to a user is part of the key.
        case always
        /// While requests of the client have the same credential.
        case whileCurrent(SentCredential)
        case never
    }

    /// What a connection is opened for, and how.
    struct Opening: Sendable {
        let request: SubscriptionRequest
        let settings: GraphQLSocketSettings
        let parameters: GraphQLConnectionParameters
        let open: GraphQLSocketOpening
    }

    private let entries = Locked<[Key: Entry]>([:])
    private let flights = SingleFlight<Key, Entry>(cancelsAbandoned: true)

    /// Starts an operation on a shared connection, or on a new one.
    func start(_ opening: Opening) async throws(GraphQLError) -> GraphQLSocketOperation {
        let request = opening.request
        let made: GraphQLConnectionParameters.Made
        do throws(HTTPError) { made = try await opening.parameters.made(time: request.client.time) } catch { throw .http(error) }
        let key = Key(
            owner: Key.Owner(client: request.owner), place: request.handshake(opening.settings).place, headers: request.post.headers,
            protocols: opening.settings.protocols,
            scope: await request.scope?(), identity: made.identity)
        // A connection may close between the look at it and the start of the operation.
        for _ in 0..<3 {
            let connection = try await connection(for: key, opening, made)
            if let operation = connection.start(payload: request.payload, maxBytes: request.maxMessageBytes) { return operation }
        }
        throw .http(.networkError(NetworkFailure(.connectionLost, "the connection was closed as the operation began")))
    }

    private func connection(
        for key: Key, _ opening: Opening, _ made: GraphQLConnectionParameters.Made
    ) async throws(GraphQLError) -> GraphQLSocketConnection {
        if let entry = entries.withLock({ $0[key] }), await mayShare(entry) { return entry.connection }
        let (result, hasJoined) = await flights.outcome(for: key) { try await self.opened(key, opening, made) }
        do {
            let entry = try result.get()
            if !hasJoined { return entry.connection }
            // The connection may belong to another user.
            if await mayShare(entry) { return entry.connection }
        } catch {
            let error = error as? GraphQLError ?? .http(.cancelled)
            // The first caller's time may have ended before this one's.
            guard hasJoined, error == .http(.timeout) else { throw error }
        }
        return try await opened(key, opening, made).connection
    }

    private func mayShare(_ entry: Entry) async -> Bool {
        guard entry.connection.isOpen else { return false }
        return switch entry.sharing {
        case .always: true
        case .whileCurrent(let credential): await credential.isCurrent()
        case .never: false
        }
    }

    /// Opens a connection, and keeps it for later operations if they may share it.
    private func opened(
        _ key: Key, _ opening: Opening, _ made: GraphQLConnectionParameters.Made
    ) async throws(GraphQLError) -> Entry {
        let request = opening.request
        let socket: any GraphQLSocket
        do throws(HTTPError) { socket = try await opening.open(request.handshake(opening.settings)) } catch { throw .http(error) }
        try checkOrigin(of: socket, made)
        // The app may have changed its user while the handshake obtained a credential.
        let isSameUser = await request.scope?() == key.scope
        let sharing = isSameUser ? sharing(of: socket.response, request, opening.settings) : .never
        var head = socket.response
        // Parameters identify a user, so a response is not valid for all users.
        let unknown = made.payload == nil ? nil : SentCredential { () throws(HTTPError) in false }
        if let credential = made.credential ?? head?.metadata.credential ?? unknown {
            head = head ?? HTTPResponse(status: HTTPStatus(101), body: ())
            head?.metadata.credential = credential
        }
        let connection = try await GraphQLSocketConnection.open(
            socket, opening.settings, payload: made.payload, response: head, time: request.client.time
        ) { [weak self] in self?.forget($0, key) }
        let entry = Entry(connection: connection, sharing: sharing)
        if case .never = sharing { return entry }
        // The one that it replaces is released outside the lock, which closes it unless operations use it.
        _ = entries.withLock { entries in connection.isOpen ? exchange(&entries[key], with: entry) : nil }
        return entry
    }

    /// Throws if another origin has chosen the target of the handshake, and would get the credential in the parameters.
    private func checkOrigin(of socket: any GraphQLSocket, _ made: GraphQLConnectionParameters.Made) throws(GraphQLError) {
        let request = socket.response?.metadata.request
        guard made.payload != nil, let request, !request.context.passedOrigins.isEmpty else { return }
        socket.close(code: 1000, reason: "")
        throw .http(
            .redirectFailed(
                Explanation(
                    "to another origin, which must not get the parameters of the connection: set its URL as that of the endpoint",
                    context: ErrorContext(request: request, stage: .redirect))))
    }

    private func forget(_ connection: GraphQLSocketConnection, _ key: Key) {
        // Released outside the lock.
        _ = entries.withLock { entries in entries[key]?.connection === connection ? entries.removeValue(forKey: key) : nil }
    }

    private func sharing(of head: HTTPResponse<Void>?, _ request: SubscriptionRequest, _ settings: GraphQLSocketSettings) -> Sharing {
        guard let head else { return .always }
        if ResponseAttribution.isKnown(
            head.metadata, to: request.handshake(settings).made, hasScope: request.scope != nil)
        {
            return .always
        }
        return head.metadata.credential.map { .whileCurrent($0) } ?? .never
    }
}
