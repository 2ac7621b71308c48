import Foundation
import Martlet
import MartletTesting
import Testing

@Suite("PUT /nests", .timeLimit(.minutes(1)))
struct ReplaceNestsTests {
    @Test("The call sends the request")
    func call() async throws {
        let mock = HTTPClientMock()
        mock.on(ReplaceNests.self, .status(204))
        let payload = try JSONBodyDecoder.json
            .decode([ReplaceNests.Nest].self, from: Data(bodySample.utf8))
        try await HTTPNestsRepository(client: mock).replaceNests(payload: payload)

        let request = try #require(mock.requests.first)
        #expect(request.method == .put)
        #expect(request.target == "/nests")
        #expect(try request.json == JSONValue(parsing: Data(bodySample.utf8)))
    }

    @Test("A status that is not accepted is thrown")
    func failure() async throws {
        let mock = HTTPClientMock()
        mock.on(ReplaceNests.self, .status(404))
        let payload = try JSONBodyDecoder.json
            .decode([ReplaceNests.Nest].self, from: Data(bodySample.utf8))
        let error = await #expect(throws: HTTPError.self) {
            try await HTTPNestsRepository(client: mock).replaceNests(payload: payload)
        }
        #expect(error?.status == .notFound)
    }
}

/// A sample of the request's body.
private let bodySample = #"""
    [
      {
        "kind": "roof",
        "eggs": 0
      }
    ]
    """#
