import Foundation
import Martlet
import MartletTesting
import Testing

@Suite("GET /api/v1/users/{id}", .timeLimit(.minutes(1)))
struct GetUserTests {
    @Test("The call sends the request and decodes the response")
    func call() async throws {
        let mock = HTTPClientMock()
        mock.on(GetUser.self, .json(responseSample))
        let response = try await HTTPUsersRepository(client: mock).getUser(id: "a/b")

        let request = try #require(mock.requests.first)
        #expect(request.method == .get)
        #expect(request.target == "/api/v1/users/a%2Fb")
        #expect(request.body == nil)
        #expect(response.id == 4_294_967_296)
        #expect(response.name == "Ada")
        #expect(response.email == "ada@example.com")
        #expect(response.role == .known(.admin))
        #expect(response.avatarURL == nil)
        #expect(response.isActive)
        #expect(response.joined == Date(timeIntervalSince1970: 1_767_225_599))
        #expect(response.manager?.id == 7)
        #expect(response.manager?.name == "Grace")
    }

    @Test("The other samples are decoded")
    func samples() async throws {
        for sample in [responseSample2] {
            let mock = HTTPClientMock()
            mock.on(GetUser.self, .json(sample))
            _ = try await HTTPUsersRepository(client: mock).getUser(id: "a/b")
        }
    }

    @Test("A status that is not accepted is thrown")
    func failure() async throws {
        let mock = HTTPClientMock()
        mock.on(GetUser.self, .status(404))
        let error = await #expect(throws: HTTPError.self) {
            _ = try await HTTPUsersRepository(client: mock).getUser(id: "a/b")
        }
        #expect(error?.status == .notFound)
    }
}

/// A sample of the response.
private let responseSample = #"""
    {
      "id": 4294967296,
      "name": "Ada",
      "email": "ada@example.com",
      "role": "admin",
      "avatar_url": null,
      "is_active": true,
      "joined": "2025-12-31T23:59:59Z",
      "score": 1,
      "manager": {
        "id": 7,
        "name": "Grace"
      }
    }
    """#

/// A sample of the response.
private let responseSample2 = #"""
    {
      "id": 2,
      "name": "Bob",
      "role": "guest",
      "avatar_url": "https://img.example/2.png",
      "is_active": false,
      "joined": "2026-01-01T00:00:00+02:00",
      "score": 2.5,
      "manager": null
    }
    """#
