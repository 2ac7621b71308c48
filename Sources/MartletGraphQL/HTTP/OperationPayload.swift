internal import MartletEssentials

/// The parameters of a GraphQL request (GraphQL over HTTP §5.1), encoded as JSON.
struct OperationPayload: Encodable, Sendable {
    /// The document's text. Nil if an ID or a hash identifies it.
    var query: String?
    /// The document's ID.
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

    /// Encodes the payload and collects its uploads. Throws `.http(.encodingFailed)` or `.invalidOperation`.
    func encoded(with encoder: any BodyEncoder) throws(GraphQLError) -> EncodedPayload {
        try EncodedPayload(of: self, inputs: [variables], encoder)
    }
}

/// One or several payloads as JSON, with their uploads.
struct EncodedPayload: Sendable {
    let json: Data
    /// The uploads, ordered by their paths.
    let uploads: [LocatedUpload]

    init(of payload: some Encodable, inputs: [OperationInput], _ encoder: any BodyEncoder) throws(GraphQLError) {
        guard encoder.keepsKeys else {
            throw .invalidOperation(
                "the client's encoder converts keys, but GraphQL variables need their exact names: use an encoder without a key strategy")
        }
        let collector = UploadCollector()
        do {
            for input in inputs { try input.check(with: encoder) }
            json = try UploadCollector.$current.withValue(collector) { try encoder.encode(payload) }
        } catch {
            throw .http(
                .encodingFailed(
                    Explanation(
                        "the variables could not be encoded: \(CodingPath.explain(error))",
                        context: ErrorContext(stage: .request, underlying: error))))
        }
        uploads = UploadForm.ordered(collector.uploads)
        if let place = uploads.first(where: { $0.steps.contains { $0.contains(".") } }) {
            let path = Redaction.line(place.steps.joined(separator: "."), limit: 100)
            throw .invalidOperation(Explanation("an upload cannot be below a key that contains a dot: “\(path)”"))
        }
    }
}

extension BodyEncoder {
    /// Whether keys are written unchanged.
    fileprivate var keepsKeys: Bool {
        switch self {
        case let encoder as JSONBodyEncoder: if case .useDefaultKeys = encoder.keyEncodingStrategy { true } else { false }
        case let encoder as JSONEncoder: if case .useDefaultKeys = encoder.keyEncodingStrategy { true } else { false }
        default: (try? JSONValue(encoding: KeyProbe(), with: self))?["operationName"] != nil
        }
    }
}

/// A value with a key that a key strategy would convert.
private struct KeyProbe: Encodable {
    let operationName = "", query = ""
}
