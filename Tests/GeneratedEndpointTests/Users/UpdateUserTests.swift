import Foundation
import Martlet
import MartletTesting
import Testing

@Suite("PATCH /api/v1/users/{id}", .timeLimit(.minutes(1)))
struct UpdateUserTests {
    @Test("The call sends the request")
    func call() async throws {
        let mock = HTTPClientMock()
        mock.on(UpdateUser.self, .status(404))
        let payload = try JSONBodyDecoder.json
            .decode(UpdateUser.Body.self, from: Data(bodySample.utf8))
        _ = try? await HTTPUsersRepository(client: mock).updateUser(id: "a/b", payload: payload)

        let request = try #require(mock.requests.first)
        #expect(request.method == .patch)
        #expect(request.target == "/api/v1/users/a%2Fb")
        #expect(try request.json == JSONValue(parsing: Data(sentBody.utf8)))
    }

    @Test("A status that is not accepted is thrown")
    func failure() async throws {
        let mock = HTTPClientMock()
        mock.on(UpdateUser.self, .status(404))
        let payload = try JSONBodyDecoder.json
            .decode(UpdateUser.Body.self, from: Data(bodySample.utf8))
        let error = await #expect(throws: HTTPError.self) {
            _ = try await HTTPUsersRepository(client: mock).updateUser(id: "a/b", payload: payload)
        }
        #expect(error?.status == .notFound)
    }
}

/// A sample of the request's body.
private let bodySample = #"""
    {
      "name": "Ada L.",
      "role": null,
      "score": 3.25,
      "tags": []
    }
    """#

/// The body as the encoder writes it.
private let sentBody = #"""
    {
      "name": "Ada L.",
      "score": 3.25,
      "tags": []
    }
    """#
