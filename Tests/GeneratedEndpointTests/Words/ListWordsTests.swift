import Foundation
import Martlet
import MartletTesting
import Testing

@Suite("GET /words", .timeLimit(.minutes(1)))
struct ListWordsTests {
    @Test("The call sends the request and decodes the response")
    func call() async throws {
        let mock = HTTPClientMock()
        mock.on(ListWords.self, .json(responseSample))
        let response = try await mock.send(ListWords(max: 2.5, exact: true, ids: [7], zip: "007"))

        let request = try #require(mock.requests.first)
        #expect(request.method == .get)
        #expect(request.target == "/words?max=2.5&exact=true&ids%5B%5D=7&zip=007")
        #expect(request.body == nil)
        #expect(response.count == 4)
        #expect(response.first == "swift")
    }

    @Test("A status that is not accepted is thrown")
    func failure() async throws {
        let mock = HTTPClientMock()
        mock.on(ListWords.self, .status(404))
        let error = await #expect(throws: HTTPError.self) {
            _ = try await mock.send(ListWords(max: 2.5, exact: true, ids: [7], zip: "007"))
        }
        #expect(error?.status == .notFound)
    }
}

/// A sample of the response.
private let responseSample = #"""
    [
      "swift",
      "martlet",
      "swift",
      "martlet"
    ]
    """#
