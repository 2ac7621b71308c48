/// How a request identifies its document.
enum DocumentForm: Sendable {
    /// The document's text.
    case text
    /// The hash of the text, which the server may not know (Apollo's automatic persisted queries).
    case hash(String)
    /// Text and hash, so that the server stores the text under the hash.
    case textAndHash(String)
    /// An ID registered with the server in advance (GraphQL over HTTP, persisted documents).
    case id(String)
}

extension OperationPayload {
    /// Creates the parameters of an operation whose document is identified by `form`. Members that the form adds replace those in
    /// `extensions`.
    init(_ operation: AnyGraphQLOperation, _ form: DocumentForm, extensions: [String: JSONValue]) {
        self.init(operation)
        self.extensions = extensions
        switch form {
        case .text: break
        case .id(let id): (query, documentId) = (nil, id)
        case .hash(let hash):
            query = nil
            self.extensions["persistedQuery"] = OperationPayload.persisted(hash)
        case .textAndHash(let hash): self.extensions["persistedQuery"] = OperationPayload.persisted(hash)
        }
    }

    private static func persisted(_ hash: String) -> JSONValue { ["version": 1, "sha256Hash": .string(hash)] }
}
