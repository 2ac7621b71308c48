internal import MartletSystem

/// How requests identify their documents, by text, by hash, or by an ID known to the server.
///
/// ```swift
/// GraphQLClient.Configuration(persistedQueries: .automatic(getsHashes: true))
/// GraphQLClient.Configuration(persistedQueries: .safelisted { operation in ids[operation.document.text] })
/// ```
public struct PersistedQueries: Sendable {
    enum Mode: Sendable {
        case off
        case automatic(getsHashes: Bool, pause: Duration)
        case safelisted(asHashes: Bool, @Sendable (AnyGraphQLOperation) -> String?)
    }

    let mode: Mode

    /// Sends the text of each document with every request.
    public static var off: Self { Self(mode: .off) }

    /// Sends only the SHA-256 of a document first, and also its text if the server does not know it (Apollo's automatic persisted queries).
    ///
    /// If the server refuses a hash in a way that suggests it does not support hashes (status 400, 405 or 422, or errors without data), a
    /// query is sent once more by its text. If that returns data, or if the server says that it does not support hashes, texts are sent for
    /// `pause`. A mutation is sent again only after a response that shows that it was not executed. Operations with uploads, batches,
    /// subscriptions and the operations of `updates(_:options:)` are always sent by their text.
    ///
    /// - Parameters:
    ///   - getsHashes: Whether the hash of a query is sent by GET, so that HTTP caches can respond. Variables are then part of the URL.
    ///     Default: false.
    ///   - pause: How long texts are sent to a server that does not support hashes, before a query tries a hash again. Default: one hour.
    public static func automatic(getsHashes: Bool = false, pause: Duration = .seconds(3_600)) -> Self {
        Self(mode: .automatic(getsHashes: getsHashes, pause: pause))
    }

    /// Sends only IDs of documents that were registered with the server in advance (a safelist), never their text.
    ///
    /// An operation without an ID throws `.invalidOperation`.
    ///
    /// - Parameters:
    ///   - usesApolloExtension: Whether the ID is sent as `sha256Hash` in the extension `persistedQuery`, as Apollo's servers require.
    ///     Default: false, as the parameter `documentId` (GraphQL over HTTP, persisted documents).
    ///   - id: Returns the ID of an operation's document, or nil if it has none.
    public static func safelisted(
        usesApolloExtension: Bool = false, id: @escaping @Sendable (_ operation: AnyGraphQLOperation) -> String?
    ) -> Self { Self(mode: .safelisted(asHashes: usesApolloExtension, id)) }

    /// Sends only the SHA-256 of each document, never its text. The server must know the documents, such as from a manifest that
    /// `martlet-graphql` writes.
    ///
    /// - Parameter usesApolloExtension: Whether the hash is sent in the extension `persistedQuery`, as Apollo's servers require. Default:
    ///   false, as the parameter `documentId` in the form `sha256:…` (GraphQL over HTTP, persisted documents).
    public static func safelistedHashes(usesApolloExtension: Bool = false) -> Self {
        safelisted(usesApolloExtension: usesApolloExtension) { operation in
            let hash = operation.document.sha256
            return usesApolloExtension ? hash : "sha256:" + hash
        }
    }

    /// Whether documents are identified by registered IDs. Their text must then stay unchanged.
    var sendsIDs: Bool { if case .safelisted = mode { true } else { false } }

    /// Returns the form for an operation that is sent once, without trying hashes: its text or its ID.
    func form(of operation: AnyGraphQLOperation) throws(GraphQLError) -> DocumentForm {
        guard case .safelisted(let asHashes, let id) = mode else { return .text }
        guard let id = id(operation) else {
            throw .invalidOperation("\(operation) has no ID in the safelist, and the client does not send document texts")
        }
        return asHashes ? .hash(id) : .id(id)
    }
}

/// Stores whether the server supports hashes. Copies of a client share it because they have the same endpoint.
final class PersistedQueryMemory: Sendable {
    private struct State {
        /// Most apps have fewer documents. Texts that are built at run time do not accumulate.
        var hashes = BoundedMap<String, String>(limit: 1_000)
        /// The time until which texts are sent, because the server does not support hashes.
        var refusedUntil: ContinuousClock.Instant?
        /// Whether a response has shown that the server supports hashes.
        var isConfirmed = false
        /// Whether mutations are sent by their text until a query has shown that the server supports hashes. Unlike a mutation, a refused
        /// query can be sent again.
        var isDoubtful = false
    }

    private let state = Locked(State())

    /// Returns the SHA-256 of a text in hexadecimal digits. Computed once for each text.
    func hash(of text: String) -> String {
        if let known = state.withLock({ state in state.hashes.use(text) { $0 } }) { return known }
        let hash = SHA256.hexadecimal(of: text)
        state.withLock { state in _ = state.hashes.insert(hash, for: text) }
        return hash
    }

    /// Whether a response has shown that the server supports hashes.
    var isConfirmed: Bool { state.withLock { $0.isConfirmed } }

    /// Whether an operation is sent by its text only.
    func wantsText(of kind: GraphQLOperationKind, at now: ContinuousClock.Instant) -> Bool {
        state.withLock { state in state.refusedUntil.map { now < $0 } ?? false || state.isDoubtful && kind == .mutation }
    }

    /// Records that the server supports hashes.
    func confirm() { state.withLock { ($0.refusedUntil, $0.isConfirmed, $0.isDoubtful) = (nil, true, false) } }

    /// Records until when the server is treated as not supporting hashes.
    func refuse(until end: ContinuousClock.Instant) {
        state.withLock { ($0.refusedUntil, $0.isConfirmed, $0.isDoubtful) = (end, false, true) }
    }

    /// Records that the server may not support hashes.
    func doubt() { state.withLock { $0.isDoubtful = true } }
}

extension GraphQLDocument {
    /// The SHA-256 of the text in hexadecimal digits.
    package var sha256: String { SHA256.hexadecimal(of: text) }
}

extension SHA256 {
    fileprivate static func hexadecimal(of text: String) -> String { Hex.text(digest(of: text.utf8)) }
}
