package import MartletEssentials

/// Reads responses by the rules of GraphQL over HTTP §6: which statuses and media types may contain GraphQL, and whether it is well formed.
package enum GraphQLResponseReader {
    /// Returns the response to an operation: see ``read(_:as:operationName:decoder:)``.
    package static func read<D>(
        _ response: HTTPResponse<Data>, of operation: GraphQLOperation<D>, decoder: any BodyDecoder
    ) throws(GraphQLError) -> GraphQLResponse<D> {
        try read(response, as: D.self, operationName: operation.operationName, decoder: decoder)
    }

    /// Returns the response to one operation.
    ///
    /// - Throws: `.http`, with `.statusCode` for an error status without GraphQL, `.noData` for an empty body, and `.decodingFailed` with
    ///   the body for malformed GraphQL.
    static func read<D: Decodable & Sendable>(
        _ response: HTTPResponse<Data>, as type: D.Type, operationName: String?, decoder: any BodyDecoder
    ) throws(GraphQLError) -> GraphQLResponse<D> {
        try checkIsJSON(response, type)
        let envelope: GraphQLEnvelope<D>
        do { envelope = try decoder.decode(GraphQLEnvelope<D>.self, from: response.body) } catch {
            // With an error status, a body that is not GraphQL comes from another server, such as a proxy or gateway.
            throw .http(isSuccess(response) ? failure(error, type, response) : .statusCode(response))
        }
        guard isAnswer(response, hasErrors: !envelope.errors.isEmpty) else { throw .http(.statusCode(response)) }
        return try self.response(envelope, response, operationName)
    }

    /// Returns the response in an envelope. Throws `.http(.decodingFailed)` for data that does not match its type if there are no errors.
    static func response<D>(
        _ envelope: GraphQLEnvelope<D>, _ response: HTTPResponse<Data>, _ operationName: String?
    ) throws(GraphQLError) -> GraphQLResponse<D> {
        let head = response.map { _ in }
        do {
            let result = try envelope.result { GraphQLErrorContext(operationName: operationName, response: head) }
            var answer = GraphQLResponse(result: result, extensions: envelope.extensions, http: head)
            if !envelope.errors.isEmpty { answer.hasUnreadData = envelope.hasUnreadData }
            return answer
        } catch { throw .http(failure(error, D.self, response)) }
    }

    /// Throws if the body cannot be GraphQL.
    static func checkIsJSON(_ response: HTTPResponse<Data>, _ type: Any.Type) throws(GraphQLError) {
        let contentType = response.headers[.contentType]
        // The usual texts need not be parsed.
        let isJSON = contentType == nil || contentType == "application/json" || contentType == GraphQLMedia.response
        if !response.body.isEmpty, isJSON || media(response)?.isJSON == true { return }
        guard isSuccess(response) else { throw .http(.statusCode(response)) }
        guard !response.body.isEmpty else {
            let nothing = HTTPError.noData(
                Explanation("the body is empty, and a GraphQL response was expected (status \(response.status))"))
            throw .http(failure(nothing, type, response))
        }
        throw .http(illFormed(response, type, "the response is \(Redaction.line(contentType ?? "", limit: 100)), not JSON"))
    }

    /// Whether a well-formed body is a GraphQL response and not that of an intermediary. With an error status, plain JSON must contain
    /// errors.
    static func isAnswer(_ response: HTTPResponse<Data>, hasErrors: Bool) -> Bool {
        isSuccess(response) || media(response)?.essence == GraphQLMedia.response || hasErrors
    }

    static func isSuccess(_ response: HTTPResponse<Data>) -> Bool { response.status.kind == .successful }

    /// Returns a decoding error with the response that it belongs to.
    static func failure(_ error: any Error, _ type: Any.Type, _ response: HTTPResponse<Data>) -> HTTPError {
        let failure = HTTPError(decoding: error, as: type, from: response)
        guard type == IgnoredData.self, case .decodingFailed(let of) = failure else { return completed(failure, response) }
        return completed(
            .decodingFailed(
                DecodingFailure(
                    type: name(of: type), codingPath: of.codingPath, reason: of.reason, response: response, context: of.context)), response)
    }

    /// Returns a `.decodingFailed` error with a reason.
    static func illFormed(_ response: HTTPResponse<Data>, _ type: Any.Type, _ reason: String) -> HTTPError {
        completed(
            .decodingFailed(
                DecodingFailure(type: name(of: type), reason: reason, response: response, context: ErrorContext(stage: .decoding))),
            response)
    }

    /// The name of a type in an error.
    private static func name(of type: Any.Type) -> String { type == IgnoredData.self ? "a GraphQL response" : "\(type)" }

    private static func media(_ response: HTTPResponse<Data>) -> MediaType? { response.headers[.contentType].flatMap { MediaType($0) } }

    private static func completed(_ error: HTTPError, _ response: HTTPResponse<Data>) -> HTTPError {
        error.completed(ifKnown: response.metadata.request, stage: .decoding)
    }
}
