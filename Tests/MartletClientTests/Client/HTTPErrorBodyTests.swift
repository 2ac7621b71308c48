import Foundation
import MartletClient
import Testing

@Suite("HTTPError: decoding the body", .timeLimit(.minutes(5)))
struct HTTPErrorBodyTests {
    private struct Failure: Decodable, Equatable { let errorCode: String }

    private func error(_ body: String) -> HTTPError { .statusCode(HTTPResponse(status: .badRequest, body: Data(body.utf8))) }

    @Test("The body is decoded as the requested type")
    func decoding() {
        #expect(error(#"{"errorCode":"E1"}"#).decodeBody(as: Failure.self) == Failure(errorCode: "E1"))
        let inferred: Failure? = error(#"{"errorCode":"E1"}"#).decodeBody()
        #expect(inferred?.errorCode == "E1")
    }

    @Test("The body is decoded with the given decoder")
    func decoder() {
        let error = error(#"{"error_code":"E1"}"#)
        #expect(error.decodeBody(as: Failure.self) == nil)
        #expect(error.decodeBody(as: Failure.self, using: .snakeCase) == Failure(errorCode: "E1"))
    }

    @Test("A body of another type, or a missing response, returns nil", arguments: ["", "<html>", "[]", #"{"errorCode":1}"#])
    func failing(body: String) {
        #expect(error(body).decodeBody(as: Failure.self) == nil)
        #expect(HTTPError.timeout.decodeBody(as: Failure.self) == nil)
    }

    @Test("A decoding failure's body can be read as another type")
    func decodingFailure() {
        let response = HTTPResponse(status: .ok, body: Data(#"{"errorCode":"E1"}"#.utf8))
        let error = HTTPError.decodingFailed(DecodingFailure(type: "User", reason: "r", response: response))
        #expect(error.decodeBody(as: Failure.self) == Failure(errorCode: "E1"))
    }
}
