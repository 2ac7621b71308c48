internal import MartletEssentials

/// The parameters of a GraphQL request (GraphQL over HTTP §5.1): what is written as JSON.
struct OperationPayload: Encodable, Sendable {
    /// The document; nil when the server knows it by its id or hash.
    var query: String?
    /// What the server knows the document by.
    var documentId: String?
    var operationName: String?
    var variables: OperationInput
    var extensions: [String: JSONValue] = [:]

    enum CodingKeys: CodingKey { case query, documentId, operationName, variables, extensions }

    init(_ operation: AnyGraphQLOperation) {
        query = operation.document.text
        operationName = operation.operationName
        variables = operation.input
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(query, forKey: .query)
        try container.encodeIfPresent(documentId, forKey: .documentId)
        try container.encodeIfPresent(operationName, forKey: .operationName)
        if !variables.isEmpty { try container.encode(variables, forKey: .variables) }
        if !extensions.isEmpty { try container.encode(extensions, forKey: .extensions) }
    }

    /// The payload as JSON, and the uploads in it. Throws `.http(.encodingFailed)` and `.invalidOperation`.
    func encoded(with encoder: any BodyEncoder) throws(GraphQLError) -> EncodedPayload {
        try EncodedPayload(of: self, inputs: [variables], encoder)
    }
}

/// One payload or several as JSON, and the uploads in it by their places.
struct EncodedPayload: Sendable {
    let json: Data
    /// In the order of their places.
    let uploads: [LocatedUpload]

    init(of payload: some Encodable, inputs: [OperationInput], _ encoder: any BodyEncoder) throws(GraphQLError) {
        guard encoder.keepsKeys else {
            throw .invalidOperation(
                "the client's encoder changes keys: those of a GraphQL request, and the places of its uploads, are sent as they are")
        }
        let collector = UploadCollector()
        do {
            for input in inputs { try input.check(with: encoder) }
            json = try UploadCollector.$current.withValue(collector) { try encoder.encode(payload) }
        } catch {
            throw .http(
                .encodingFailed(
                    Explanation("the variables: \(CodingPath.explain(error))", context: ErrorContext(stage: .request, underlying: error))))
        }
        uploads = UploadForm.ordered(collector.uploads)
        if let place = uploads.first(where: { $0.steps.contains { $0.contains(".") } }) {
            let path = Redaction.line(place.steps.joined(separator: "."), limit: 100)
            throw .invalidOperation(Explanation("an upload can't stand below a key with a point in it: “\(path)”"))
        }
    }
}

extension BodyEncoder {
    /// Whether keys are written as they are.
    fileprivate var keepsKeys: Bool {
        switch self {
        case let encoder as JSONBodyEncoder: if case .useDefaultKeys = encoder.keyEncodingStrategy { true } else { false }
        case let encoder as JSONEncoder: if case .useDefaultKeys = encoder.keyEncodingStrategy { true } else { false }
        default: (try? JSONValue(encoding: KeyProbe(), with: self))?["operationName"] != nil
        }
    }
}

/// A value with a key that an encoder may convert.
private struct KeyProbe: Encodable {
    let operationName = "", query = ""
}
