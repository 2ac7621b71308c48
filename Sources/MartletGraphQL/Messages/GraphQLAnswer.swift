package import MartletCore

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Reads answers by the rules of GraphQL over HTTP §6: which statuses and media types have a GraphQL answer, and which of those are
/// well-formed.
package enum GraphQLAnswer {
    /// The answer to one operation.
    ///
    /// Throws `.http`: `.statusCode` for an error status without GraphQL, `.decodingFailed` for what should be GraphQL and is not, with the body.
    package static func read<D>(
        _ response: HTTPResponse<Data>, of operation: GraphQLOperation<D>, decoder: any BodyDecoder
    ) throws(GraphQLError) -> GraphQLResponse<D> {
        let type = D.self
        let isSuccess = response.status.kind == .successful
        let media = response.headers[.contentType].flatMap { MediaType($0) }
        guard response.headers[.contentType] == nil || media?.isJSON == true else {
            guard isSuccess else { throw .http(.statusCode(response)) }
            throw .http(
                illFormed(response, type, "the answer is \(Redaction.line(response.headers[.contentType] ?? "", limit: 100)), not JSON"))
        }
        let envelope: GraphQLEnvelope<D>
        do { envelope = try decoder.decode(GraphQLEnvelope<D>.self, from: response.body) } catch {
            // With an error status, a body that is no GraphQL is somebody else's: a proxy's, a gateway's.
            throw .http(isSuccess ? failure(error, type, response) : .statusCode(response))
        }
        guard isSuccess || media?.essence == GraphQLMedia.response || !envelope.errors.isEmpty else { throw .http(.statusCode(response)) }
        let head = response.map { _ in }
        let context = GraphQLErrorContext(operationName: operation.operationName, response: head)
        do {
            let result = try envelope.result(context)
            return GraphQLResponse(result: result, extensions: envelope.extensions, http: head)
        } catch {
            throw .http(failure(error, type, response))
        }
    }

    private static func failure(_ error: any Error, _ type: Any.Type, _ response: HTTPResponse<Data>) -> HTTPError {
        let failure = HTTPError(decoding: error, as: type, from: response)
        return response.metadata.request.map { failure.completed(request: $0, stage: .decoding) } ?? failure
    }

    private static func illFormed(_ response: HTTPResponse<Data>, _ type: Any.Type, _ reason: String) -> HTTPError {
        .decodingFailed(
            DecodingFailure(
                type: "\(type)", reason: reason, response: response,
                context: ErrorContext(request: response.metadata.request, stage: .decoding)))
    }
}

/// The response to an operation as it is written (GraphQL §7.1).
struct GraphQLEnvelope<D: Decodable & Sendable>: Decodable {
    let errors: [GraphQLResponseError]
    let extensions: [String: JSONValue]
    /// Nil when there is none, or null.
    private let data: Result<D, any Error>?

    private enum CodingKeys: CodingKey { case data, errors, extensions }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        errors = try container.decodeIfPresent([GraphQLResponseError].self, forKey: .errors) ?? []
        extensions = (try? container.decodeIfPresent([String: JSONValue].self, forKey: .extensions)) ?? [:]
        if container.contains(.data), try !container.decodeNil(forKey: .data) {
            data = Result { try container.decode(D.self, forKey: .data) }
        } else {
            data = nil
        }
        guard data != nil || !errors.isEmpty else {
            throw DecodingError.dataCorruptedError(
                forKey: .data, in: container, debugDescription: "a GraphQL answer has data or errors, and there are neither")
        }
    }

    /// The result. Throws what decoding the data threw, unless there are errors that explain it.
    func result(_ context: GraphQLErrorContext) throws -> GraphQLResult<D> {
        let errors = errors.map { error in
            var error = error
            error.context = context
            return error
        }
        switch data {
        case .success(let data): return errors.isEmpty ? .complete(data) : .partial(data, errors)
        case .failure(let error) where errors.isEmpty: throw error
        case .failure, nil: return .failed(errors)
        }
    }
}
