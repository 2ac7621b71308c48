import Foundation
import MartletTesting
import Testing

@testable import MartletGraphQL

@Suite("Responses to the hash of a document", .timeLimit(.minutes(5)))
struct PersistedQueryOutcomeTests {
    private struct Row {
        let status: HTTPStatus
        let body: String
        /// The outcomes for a query and a mutation, first while support for hashes is unknown and then when it is confirmed.
        let decisions: [PersistedQueryOutcome]
        var media = "application/json"

        init(_ status: HTTPStatus, _ body: String, _ decisions: [PersistedQueryOutcome], media: String = "application/json") {
            (self.status, self.body, self.decisions, self.media) = (status, body, decisions, media)
        }
    }

    private static let request = #"{"errors":[{"message":"Must provide query string."}]}"#
    private static let null = #"{"data":null,"errors":[{"message":"Must provide query string."}]}"#
    private static let field = #"{"data":null,"errors":[{"message":"m","path":["rename"]}]}"#
    private static let auth = #"{"errors":[{"message":"m","extensions":{"code":"UNAUTHENTICATED"}}]}"#
    private static let notFound = #"{"errors":[{"message":"m","extensions":{"code":"PERSISTED_QUERY_NOT_FOUND"}}]}"#
    private static let fieldNotFound =
        #"{"data":null,"errors":[{"message":"PersistedQueryNotFound","path":["rename"],"extensions":{"code":"PERSISTED_QUERY_NOT_FOUND"}}]}"#
    private static let partialNotFound =
        #"{"data":{"rename":null},"errors":[{"message":"m","extensions":{"code":"PERSISTED_QUERY_NOT_SUPPORTED"}}]}"#
    private static let partial = #"{"data":{"a":1},"errors":[{"message":"m"}]}"#

    private static func all(_ decision: PersistedQueryOutcome) -> [PersistedQueryOutcome] { Array(repeating: decision, count: 4) }

    private static let rows = [
        Row(200, #"{"data":{"a":1}}"#, all(.data)), Row(200, partial, all(.data)), Row(400, partial, all(.data)),
        Row(200, notFound, all(.unknown)), Row(400, notFound, all(.unknown)), Row(500, notFound, all(.unknown)),
        Row(200, #"{"errors":[{"message":"PersistedQueryNotSupported"}]}"#, all(.unsupported)),
        // The operation was executed, and an upstream server reported the error for a field.
        Row(200, fieldNotFound, all(.other)), Row(200, partialNotFound, all(.data)),
        Row(400, "The query must be a string.", [.rejected, .rejected, .rejected, .other], media: "text/plain"),
        Row(400, "", [.rejected, .rejected, .rejected, .other]), Row(400, #"{"detail":"x"}"#, [.rejected, .rejected, .rejected, .other]),
        Row(422, "", [.rejected, .ambiguous, .rejected, .other]), Row(405, "", [.rejected, .ambiguous, .rejected, .other]),
        Row(400, request, [.rejected, .rejected, .rejected, .other]), Row(400, null, [.rejected, .ambiguous, .rejected, .other]),
        Row(200, request, [.rejected, .ambiguous, .other, .other]), Row(200, null, [.rejected, .ambiguous, .other, .other]),
        Row(500, request, [.rejected, .ambiguous, .other, .other]), Row(200, field, all(.other)), Row(400, field, all(.other)),
        Row(200, auth, all(.other)), Row(400, auth, all(.other)), Row(401, "", all(.other)), Row(403, "", all(.other)),
        Row(404, "", all(.other)), Row(500, "", all(.other)), Row(503, request, [.other, .ambiguous, .other, .other]),
        Row(429, request, [.other, .ambiguous, .other, .other]), Row(200, "<html>", all(.other), media: "text/html"),
        Row(400, String(repeating: "x", count: 70_000), all(.other)),
    ]

    @Test("The response decides whether the server supports hashes and whether the document is sent", arguments: rows.indices)
    func decisions(_ index: Int) {
        let row = Self.rows[index]
        let response = HTTPResponse(status: row.status, headers: [.contentType: row.media], body: Data(row.body.utf8))
        let decisions = [false, true].flatMap { isConfirmed in
            [GraphQLOperationKind.query, .mutation].map {
                PersistedQueryOutcome.of(response, to: $0, isConfirmed: isConfirmed, decoder: .json)
            }
        }
        #expect(decisions == row.decisions, "\(row.status) \(row.body.prefix(100))")
    }
}
