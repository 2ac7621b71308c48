import Foundation
import Martlet
import MartletTesting
import Testing

@Suite("POST /search/{index}.json", .timeLimit(.minutes(1)))
struct SearchTests {
    @Test("The call sends the request and decodes the response")
    func call() async throws {
        let mock = HTTPClientMock(decoder: .snakeCase)
        mock.on(Search.self, .json(responseSample))
        let payload = try JSONBodyDecoder.snakeCase
            .decode(Search.Body.self, from: Data(bodySample.utf8))
        let response = try await HTTPSearching(client: mock).search(index: "a/b", payload: payload)

        let request = try #require(mock.requests.first)
        #expect(request.method == .post)
        #expect(request.target == "/search/a%2Fb.json")
        let encoded = try JSONValue(encoding: payload, with: .snakeCase)
        #expect(try encoded == JSONValue(parsing: Data(bodySample.utf8)))
        #expect(response.tookMs == 12)
        #expect(response.totalHits == 18_446_744_073_709_551_615)
        #expect(response.hits.count == 2)
        #expect(response.hits.first?.text == "say \"hi\" \\#(x) \n\ttwo")
        #expect(response.hits.first?.tags.count == 2)
        #expect(response.hits.first?.mixed.count == 3)
        #expect(response.hits.first?.größe == 3)
        #expect(response.byUser.count == 2)
        #expect(response.names.count == 1)
        #expect(response.names["9f3b2c1d-0000-4000-8000-00000000abcd"] == "Ada")
    }

    @Test("A status that is not accepted is thrown")
    func failure() async throws {
        let mock = HTTPClientMock()
        mock.on(Search.self, .status(404))
        let payload = try JSONBodyDecoder.snakeCase
            .decode(Search.Body.self, from: Data(bodySample.utf8))
        let error = await #expect(throws: HTTPError.self) {
            _ = try await HTTPSearching(client: mock).search(index: "a/b", payload: payload)
        }
        #expect(error?.status == .notFound)
    }
}

/// A sample of the response.
private let responseSample = ##"""
    {
      "took_ms": 12,
      "max_score": 0.1,
      "total_hits": 18446744073709551615,
      "huge_number": 123456789012345678901234567890,
      "odd_number": 1234567890123456789012345678901234567890,
      "hits": [
        {
          "doc_id": "9f3b2c1d-0000-4000-8000-00000000abcd",
          "price": 19.90,
          "text": "say \"hi\" \\#(x) \n\ttwo",
          "tags": [
            "a",
            null
          ],
          "mixed": [
            1,
            "x",
            null
          ],
          "größe": 3
        },
        {
          "doc_id": "9f3b2c1d-0000-4000-8000-00000000abce",
          "price": 5,
          "text": "",
          "tags": [
            null
          ],
          "mixed": [],
          "größe": 4
        }
      ],
      "by_user": {
        "17": {
          "count": 2,
          "last_seen": null
        },
        "18": null
      },
      "names": {
        "9f3b2c1d-0000-4000-8000-00000000abcd": "Ada"
      },
      "matrix": [
        [
          1,
          2
        ],
        [
          3,
          4.5
        ]
      ],
      "flags": [
        []
      ],
      "x": {
        "y": {
          "z": [
            {
              "deep_value": false
            }
          ]
        }
      }
    }
    """##

/// A sample of the request's body.
private let bodySample = #"""
    {
      "search_text": "swift",
      "page_size": 20,
      "filters": [
        {
          "field_name": "price",
          "max_value": 20.5
        },
        {
          "field_name": "tag",
          "any_value": [
            "a",
            1
          ]
        }
      ],
      "since": "2026-01-01T00:00:00Z"
    }
    """#
