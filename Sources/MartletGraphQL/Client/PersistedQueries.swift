/// Whether operations are sent by their text, or by what the server knows it by.
///
/// ```swift
/// GraphQLClient.Configuration(persistedQueries: .automatic(getsHashes: true))
/// GraphQLClient.Configuration(persistedQueries: .safelisted { operation in ids[operation.document.text] })
/// ```
public struct PersistedQueries: Sendable {
    /// How an id is told to the server.
    public enum IDForm: Sendable, Hashable, CaseIterable {
        /// As the parameter `documentId` (GraphQL over HTTP, persisted documents).
        case documentID
        /// As `sha256Hash` in the extension `persistedQuery`, as Apollo's servers have it.
        case apolloExtension
    }

    enum Mode: Sendable {
        case off
        case automatic(getsHashes: Bool, pause: Duration)
        case safelisted(IDForm, @Sendable (AnyGraphQLOperation) -> String?)
    }

    let mode: Mode

    /// By their text, always.
    public static var off: Self { Self(mode: .off) }

    /// By the SHA-256 of their text first, and by text and hash when the server has not met it (Apollo's automatic persisted queries).
    ///
    /// If the server refuses a hash in a way that suggests it does not support hashes (status 400, 405 or 422, or errors without data), a
    /// query is sent once more by its text. If that returns data, or if the server says that it does not support hashes, texts are sent for
    /// `pause`. A mutation is sent again only after a response that shows that it was not executed. Operations with uploads, batches,
    /// subscriptions and the operations of `updates(_:options:)` are always sent by their text.
    ///
    /// - Parameters:
    ///   - getsHashes: whether the hash of a query is sent by GET, so that caches on the path can respond. Variables are then part of the
    ///     URL. Default: false.
    ///   - pause: how long texts are sent to a server that does not support hashes, before a query tries a hash again. Default: one hour.
    public static func automatic(getsHashes: Bool = false, pause: Duration = .seconds(3_600)) -> Self {
        Self(mode: .automatic(getsHashes: getsHashes, pause: pause))
    }

    /// By ids that the server was told beforehand, never by their text.
    ///
    /// An operation without an id is `.invalidOperation`.
    ///
    /// - Parameters:
    ///   - form: how the id is told to the server. Default: as `documentId`.
    ///   - id: the id of an operation's document.
    public static func safelisted(
        as form: IDForm = .documentID, id: @escaping @Sendable (_ operation: AnyGraphQLOperation) -> String?
    ) -> Self { Self(mode: .safelisted(form, id)) }

    /// Whether documents must be those that the server was told.
    var sendsIDs: Bool { if case .safelisted = mode { true } else { false } }

    /// How an operation is sent by whoever asks once: the whole text, or the id.
    func form(of operation: AnyGraphQLOperation) throws(GraphQLError) -> DocumentForm {
        guard case .safelisted(let form, let id) = mode else { return .text }
        guard let id = id(operation) else {
            throw .invalidOperation("\(operation) has no id, and the client sends no texts")
        }
        return form == .documentID ? .id(id) : .hash(id)
    }
}
