import Foundation
import Martlet
import MartletTesting
import Testing

@Suite("GET /words/{id}/text", .timeLimit(.minutes(1)))
struct GetWordTextTests {
    @Test("The call sends the request and decodes the response")
    func call() async throws {
        let mock = HTTPClientMock()
        mock.on(GetWordText.self, .json(responseSample))
        let response = try await mock.send(GetWordText(id: 7))

        let request = try #require(mock.requests.first)
        #expect(request.method == .get)
        #expect(request.target == "/words/7/text")
        #expect(request.body == nil)
        #expect(response == "Hello, \"world\"")
    }

    @Test("A status that is not accepted is thrown")
    func failure() async throws {
        let mock = HTTPClientMock()
        mock.on(GetWordText.self, .status(404))
        let error = await #expect(throws: HTTPError.self) {
            _ = try await mock.send(GetWordText(id: 7))
        }
        #expect(error?.status == .notFound)
    }
}

/// A sample of the response.
private let responseSample = #"""
    "Hello, \"world\""
    """#
