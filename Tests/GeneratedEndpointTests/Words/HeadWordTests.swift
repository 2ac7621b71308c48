import Foundation
import Martlet
import MartletTesting
import Testing

@Suite("HEAD /words/{word}", .timeLimit(.minutes(1)))
struct HeadWordTests {
    @Test("The call sends the request")
    func call() async throws {
        let mock = HTTPClientMock()
        mock.on(HeadWord.self, .status(204))
        try await mock.send(HeadWord(word: "a/b"))

        let request = try #require(mock.requests.first)
        #expect(request.method == .head)
        #expect(request.target == "/words/a%2Fb")
        #expect(request.body == nil)
    }

    @Test("A status that is not accepted is thrown")
    func failure() async throws {
        let mock = HTTPClientMock()
        mock.on(HeadWord.self, .status(404))
        let error = await #expect(throws: HTTPError.self) {
            try await mock.send(HeadWord(word: "a/b"))
        }
        #expect(error?.status == .notFound)
    }
}
