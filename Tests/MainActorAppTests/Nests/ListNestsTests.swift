import Foundation
import Martlet
import MartletTesting
import Testing

@Suite("GET /nests", .timeLimit(.minutes(1)))
struct ListNestsTests {
    @Test("The call sends the request and decodes the response")
    func call() async throws {
        let mock = HTTPClientMock()
        mock.on(ListNests.self, .json(responseSample))
        let response = try await HTTPNestsRepository(client: mock).listNests()

        let request = try #require(mock.requests.first)
        #expect(request.method == .get)
        #expect(request.target == "/nests")
        #expect(request.body == nil)
        #expect(response.count == 4)
        #expect(response.first?.nestID == 1)
        #expect(response.first?.kind == .known(.cliff))
        #expect(response.first?.eggs.count == 1)
        #expect(response.first?.eggs.first?.laidAt == Date(timeIntervalSince1970: 1_775_023_200))
        #expect(response.first?.eggs.first?.isHatched == false)
        #expect(response.first?.note == nil)
    }

    @Test("A status that is not accepted is thrown")
    func failure() async throws {
        let mock = HTTPClientMock()
        mock.on(ListNests.self, .status(404))
        let error = await #expect(throws: HTTPError.self) {
            _ = try await HTTPNestsRepository(client: mock).listNests()
        }
        #expect(error?.status == .notFound)
    }
}

/// A sample of the response.
private let responseSample = #"""
    [
      {
        "nest_id": 1,
        "kind": "cliff",
        "eggs": [
          {
            "laid_at": "2026-04-01T06:00:00Z",
            "is_hatched": false
          }
        ]
      },
      {
        "nest_id": 2,
        "kind": "roof",
        "eggs": []
      },
      {
        "nest_id": 3,
        "kind": "roof",
        "eggs": []
      },
      {
        "nest_id": 4,
        "kind": "cliff",
        "eggs": [],
        "note": "high"
      }
    ]
    """#
