internal import MartletEssentials

/// The meaning of a response to the hash of a document (Apollo's automatic persisted queries). Pure functions.
enum PersistedQueryOutcome: Equatable {
    /// The response has data: the server supports hashes.
    case data
    /// The response is the operation's, and says nothing about support for hashes.
    case other
    /// The server does not know this hash and requests the document.
    case unknown
    /// The server says that it does not support hashes.
    case unsupported
    /// The request was refused and not executed, perhaps because the server does not support hashes.
    case rejected
    /// The server may not support hashes, or may have executed the mutation.
    case ambiguous

    private static let maxBytes = 65_536

    /// Classifies a response of any status. The body is parsed only if it may be an error.
    ///
    /// - Parameter isConfirmed: Whether the server has shown that it supports hashes. Other errors are then the operation's.
    static func of(
        _ response: HTTPResponse<Data>, to kind: GraphQLOperationKind, isConfirmed: Bool, decoder: any BodyDecoder
    ) -> PersistedQueryOutcome {
        let isSuccess = GraphQLResponseReader.isSuccess(response)
        // Refusals are short.
        guard response.body.count <= maxBytes else { return isSuccess ? .data : .other }
        let text = String(decoding: response.body, as: UTF8.self)
        guard !isSuccess || text.contains("\"errors\"") else { return text.contains("\"data\"") ? .data : .other }
        guard let read = try? GraphQLResponseReader.read(response, as: IgnoredData.self, operationName: nil, decoder: decoder) else {
            return ofNoGraphQL(response.status, to: kind, isConfirmed: isConfirmed)
        }
        let errors = read.result.errors
        if read.result.data != nil { return .data }
        // An error of a field may carry the code of another server behind this one: the operation was executed.
        func has(_ message: String, _ code: String) -> Bool {
            errors.contains { ($0.message == message || $0.code == code) && $0.path.isEmpty && !$0.hasUnreadPath }
        }
        if has("PersistedQueryNotSupported", "PERSISTED_QUERY_NOT_SUPPORTED") { return .unsupported }
        if has("PersistedQueryNotFound", "PERSISTED_QUERY_NOT_FOUND") { return .unknown }
        // A path leads into data, so the document was executed. A credential is checked before the document is looked at.
        if errors.contains(where: { !$0.path.isEmpty || $0.hasUnreadPath || $0.isAuthenticationError }) { return .other }
        let hasData = (try? JSONValue(parsing: response.body))?["data"] != nil
        return ofErrors(response.status, hasData: hasData, to: kind, isConfirmed: isConfirmed)
    }

    /// Whether a response has data.
    static func hasData(_ response: HTTPResponse<Data>, decoder: any BodyDecoder) -> Bool {
        (try? GraphQLResponseReader.read(response, as: IgnoredData.self, operationName: nil, decoder: decoder))?.result.data != nil
    }

    /// Classifies errors of the whole request, with `data` absent or null.
    private static func ofErrors(
        _ status: HTTPStatus, hasData: Bool, to kind: GraphQLOperationKind, isConfirmed: Bool
    ) -> PersistedQueryOutcome {
        if status == .badRequest, !hasData, kind == .query || !isConfirmed { return .rejected }
        if isConfirmed { return kind == .query && isRefusal(status) ? .rejected : .other }
        // Only a request error with status 400 shows that nothing was executed. With 200 or 500, or with `data`, a mutation may have run.
        guard kind == .query else { return .ambiguous }
        return isAboutClientOrLoad(status) ? .other : .rejected
    }

    /// Classifies a response that is not GraphQL.
    private static func ofNoGraphQL(_ status: HTTPStatus, to kind: GraphQLOperationKind, isConfirmed: Bool) -> PersistedQueryOutcome {
        guard isRefusal(status) else { return .other }
        if kind == .query { return .rejected }
        if isConfirmed { return .other }
        return status == .badRequest ? .rejected : .ambiguous
    }

    /// Whether a status indicates a malformed request or a wrong method.
    private static func isRefusal(_ status: HTTPStatus) -> Bool { [400, 405, 422].contains(status.rawValue) }

    /// Whether a status has a cause that sending the document's text does not change.
    private static func isAboutClientOrLoad(_ status: HTTPStatus) -> Bool { [401, 403, 408, 429, 502, 503, 504].contains(status.rawValue) }
}
