internal import MartletCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What the response to the hash of a document says (Apollo's automatic persisted queries): a function of values.
enum PersistedAnswer: Equatable {
    /// It has data: the server knows the hash.
    case data
    /// It is the operation's, and says nothing about hashes.
    case other
    /// The server has not met the hash: it wants the document.
    case unknown
    /// The server says that it supports no hashes.
    case unsupported
    /// The request was refused and not executed, perhaps because the server does not know hashes.
    case rejected
    /// The server may not know hashes, or may have executed the mutation.
    case ambiguous

    private static let maxBytes = 65_536

    /// Decides about a response of any status, which is read only when it may be an error.
    ///
    /// - Parameter isConfirmed: whether the server has shown before that it knows hashes. Then errors of another kind are the operation's.
    static func of(
        _ response: HTTPResponse<Data>, to kind: GraphQLOperationKind, isConfirmed: Bool, decoder: any BodyDecoder
    ) -> PersistedAnswer {
        let isSuccess = GraphQLAnswer.isSuccess(response)
        // A refusal is short.
        guard response.body.count <= maxBytes else { return isSuccess ? .data : .other }
        let text = String(decoding: response.body, as: UTF8.self)
        guard !isSuccess || text.contains("\"errors\"") else { return text.contains("\"data\"") ? .data : .other }
        guard let read = try? GraphQLAnswer.read(response, as: UnreadData.self, operationName: nil, decoder: decoder) else {
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
        // A path leads into data that were made; a credential is checked whatever the document is.
        if errors.contains(where: { !$0.path.isEmpty || $0.hasUnreadPath || $0.isAuthenticationError }) { return .other }
        let hasData = (try? JSONValue(parsing: response.body))?["data"] != nil
        return ofErrors(response.status, hasData: hasData, to: kind, isConfirmed: isConfirmed)
    }

    /// Whether a response has data.
    static func hasData(_ response: HTTPResponse<Data>, decoder: any BodyDecoder) -> Bool {
        (try? GraphQLAnswer.read(response, as: UnreadData.self, operationName: nil, decoder: decoder))?.result.data != nil
    }

    /// Errors of the whole request, with `data` absent or null.
    private static func ofErrors(
        _ status: HTTPStatus, hasData: Bool, to kind: GraphQLOperationKind, isConfirmed: Bool
    ) -> PersistedAnswer {
        if status == .badRequest, !hasData, kind == .query || !isConfirmed { return .rejected }
        if isConfirmed { return kind == .query && isRefusal(status) ? .rejected : .other }
        // Only a request error with status 400 says that nothing was executed: with 200 or 500, and with `data`, a mutation may have been.
        guard kind == .query else { return .ambiguous }
        return isAboutClientOrLoad(status) ? .other : .rejected
    }

    /// A response that is not GraphQL's.
    private static func ofNoGraphQL(_ status: HTTPStatus, to kind: GraphQLOperationKind, isConfirmed: Bool) -> PersistedAnswer {
        guard isRefusal(status) else { return .other }
        if kind == .query { return .rejected }
        if isConfirmed { return .other }
        return status == .badRequest ? .rejected : .ambiguous
    }

    /// Whether a status says that the request is malformed or of the wrong method.
    private static func isRefusal(_ status: HTTPStatus) -> Bool { [400, 405, 422].contains(status.rawValue) }

    /// Whether a status has a reason that the document's text does not change.
    private static func isAboutClientOrLoad(_ status: HTTPStatus) -> Bool { [401, 403, 408, 429, 502, 503, 504].contains(status.rawValue) }
}
