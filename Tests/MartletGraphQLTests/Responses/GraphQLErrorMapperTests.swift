import Foundation
import Martlet
import MartletGraphQL
import MartletTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct GraphQLErrorMapperTests {
    private func mapped(_ code: String) -> APIError {
        GraphQLErrorMapper().map(.response([GraphQLResponseError(message: "m", code: code)]))
    }

    @Test(
        "Error codes map to the app's errors, in upper and lower case",
        arguments: [
            ("UNAUTHENTICATED", APIError.unauthorized), ("unauthenticated", .unauthorized), ("FORBIDDEN", .forbidden),
            ("NOT_FOUND", .notFound), ("RATE_LIMITED", .rateLimited(retryAfter: nil)), ("TIMEOUT", .timeout),
            ("INTERNAL_SERVER_ERROR", .serverError(500)),
        ])
    func codes(code: String, error: APIError) { #expect(mapped(code) == error) }

    @Test("Invalid input becomes field errors with the names of the fields")
    func fields() {
        let errors = [
            GraphQLResponseError(message: "too short", code: "BAD_USER_INPUT", extensions: ["field": "name"]),
            GraphQLResponseError(message: "not free", path: ["add", "ring"], code: "BAD_USER_INPUT"),
        ]
        let fields = [FieldError(field: "name", message: "too short"), FieldError(field: "ring", message: "not free")]
        #expect(GraphQLErrorMapper().map(.response(errors)) == .validationError(fields))
    }

    @Test("A rate limit keeps the response's Retry-After")
    func retryAfter() async {
        let (client, _) = graphQL { _ in
            .json(#"{"errors":[{"message":"slow","extensions":{"code":"THROTTLED"}}]}"#, headers: [.retryAfter: "7"])
        }
        let api = client.mappingErrors(GraphQLErrorMapper())
        await #expect(throws: APIError.rateLimited(retryAfter: .seconds(7))) { try await api.execute(HeroQuery(id: "1")) }
    }

    @Test("Without a known code an error status decides, and without an error status the error is unknown")
    func status() async {
        let type: HTTPFields = [.contentType: "application/graphql-response+json"]
        let body = #"{"errors":[{"message":"no"}]}"#
        let refused = graphQL { _ in .json(body, status: 403, headers: type) }.client.mappingErrors(GraphQLErrorMapper())
        await #expect(throws: APIError.forbidden) { try await refused.execute(HeroQuery(id: "1")) }
        let other = graphQL { _ in .json(body) }.client.mappingErrors(GraphQLErrorMapper())
        await #expect(throws: APIError.unknown("")) { try await other.execute(HeroQuery(id: "1")) }
    }

    @Test("A mapped client also returns the complete response")
    func envelope() async throws {
        let api = graphQL { _ in .json(#"{"data":{"hero":null},"extensions":{"cost":2}}"#) }.client.mappingErrors(GraphQLErrorMapper())
        #expect(try await api.response(for: HeroQuery(id: "1")).extensions["cost"] == 2)
        let refused = graphQL { _ in .status(404) }.client.mappingErrors(GraphQLErrorMapper())
        await #expect(throws: APIError.notFound) { _ = try await refused.response(for: HeroQuery(id: "1")) }
    }

    @Test("An invalid document or operation is an invalid request")
    func mistakes() {
        let mapper = GraphQLErrorMapper()
        #expect(mapper.map(.invalidOperation("x")) == .invalidRequest(""))
        #expect(mapper.map(.http(.timeout)) == .timeout)
        #expect(mapper.map(.notCached) == .networkError)
    }

    @Test("A mapped client returns partial data and maps failures")
    func results() async throws {
        let body = #"{"data":{"hero":null},"errors":[{"message":"m"}]}"#
        let api = graphQL { _ in .json(body) }.client.mappingErrors(GraphQLErrorMapper())
        #expect(try await api.result(of: HeroQuery(id: "1")).errors.map(\.message) == ["m"])
        let broken = graphQL { _ in .status(503) }.client.mappingErrors(GraphQLErrorMapper())
        await #expect(throws: APIError.serverError(503)) { try await broken.result(of: HeroQuery(id: "1")) }
    }

    @Test("A closure maps to an error type of its own")
    func ownError() async {
        enum BirdError: Error { case away, other }
        let mock = GraphQLClientMock()
        mock.result = .failure(.http(.timeout))
        let api = mock.mappingErrors(GraphQLErrorMapper { $0 == .http(.timeout) ? BirdError.away : .other })
        await #expect(throws: BirdError.away) { try await api.execute(HeroQuery(id: "1")) }
    }
}
