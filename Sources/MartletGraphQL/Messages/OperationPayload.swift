internal import MartletCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The parameters of a GraphQL request (GraphQL over HTTP §5.1): what is written as JSON.
struct OperationPayload: Encodable, Sendable {
    /// The document; nil when the server knows it by its id or hash.
    var query: String?
    var operationName: String?
    var variables: OperationInput
    var extensions: [String: JSONValue] = [:]

    private enum CodingKeys: CodingKey { case query, operationName, variables, extensions }

    init(_ operation: AnyGraphQLOperation) {
        query = operation.document.text
        operationName = operation.operationName
        variables = operation.input
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(query, forKey: .query)
        try container.encodeIfPresent(operationName, forKey: .operationName)
        if !variables.isEmpty { try container.encode(variables, forKey: .variables) }
        if !extensions.isEmpty { try container.encode(extensions, forKey: .extensions) }
    }

    /// The payload as JSON, and the uploads in it. Throws `.http(.encodingFailed)`.
    func encoded(with encoder: JSONEncoder) throws(GraphQLError) -> EncodedPayload {
        try EncodedPayload(of: self, inputs: [variables], encoder)
    }
}

/// One payload or several as JSON, and the uploads in it by their places.
struct EncodedPayload: Sendable {
    let json: Data
    let uploads: [(path: String, upload: GraphQLUpload)]

    init(of payload: some Encodable, inputs: [OperationInput], _ encoder: JSONEncoder) throws(GraphQLError) {
        do {
            for input in inputs { try input.check(with: encoder) }
            let collector = UploadCollector()
            json = try UploadCollector.$current.withValue(collector) { try encoder.encode(payload) }
            uploads = collector.uploads
        } catch {
            throw .http(
                .encodingFailed(
                    Explanation("the variables: \(CodingPath.explain(error))", context: ErrorContext(stage: .request, underlying: error))))
        }
    }
}
