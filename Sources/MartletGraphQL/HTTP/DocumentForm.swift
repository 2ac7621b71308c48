/// How the server is told which document is meant.
enum DocumentForm: Sendable {
    /// By its text.
    case text
    /// By the hash of its text, which it may not have met (Apollo's automatic persisted queries).
    case hash(String)
    /// By both, so that it keeps the text.
    case textAndHash(String)
    /// By an id that it was told before (GraphQL over HTTP, persisted documents).
    case id(String)
}

extension OperationPayload {
    /// The parameters of an operation, its document told in some form. What the form writes wins over `extensions`.
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
