import Foundation
import MartletClient
import MartletTesting
import Testing

@Suite("Conversions from stored values", .timeLimit(.minutes(5)))
struct ConvenienceTests {
    private func sent(_ body: RequestBody) async throws -> HTTPRequest {
        let transport = MockTransport { _ in .data(Data()) }
        try await HTTPClient(baseURL: URL(string: "https://a.example"), transport: transport).send(Request<Data>.post("x", body: body))
        return try #require(transport.requests.first)
    }

    @Test("URL query items become a query; an item without a value has no equals sign")
    func queryItems() throws {
        let items = [URLQueryItem(name: "q", value: "a&b"), URLQueryItem(name: "flag", value: nil), URLQueryItem(name: "e", value: "")]
        #expect(try Query(items).encoded() == "q=a%26b&flag&e=")
    }

    @Test("A dictionary of values of any types becomes a query, a form and a JSON body, in the order of its names")
    func dictionaries() async throws {
        let values: [String: any Encodable & Sendable] = ["b": 2, "a": "x y", "c": [1, 2]]
        #expect(try Query(values).encoded() == "a=x%20y&b=2&c=1&c=2")
        #expect(try Form(values).encoded() == "a=x+y&b=2&c=1&c=2")
        #expect(try await sent(.json(values)).body?.buffered == Data(#"{"a":"x y","b":2,"c":[1,2]}"#.utf8))
    }

    @Test("In a JSON literal, the last value of a repeated name is used")
    func duplicates() async throws {
        let (first, second) = ("n", "n")
        #expect(try await sent(.json([first: 1, second: "2"])).body?.buffered == Data(#"{"n":"2"}"#.utf8))
    }

    @Test("Encoded JSON is sent unchanged")
    func jsonData() async throws {
        let request = try await sent(.jsonData(Data(#"{ "raw" : 1 }"#.utf8)))
        #expect(request.body?.buffered == Data(#"{ "raw" : 1 }"#.utf8) && request.headers[.contentType] == "application/json")
    }

    @Test("Header fields are made from a dictionary, and a line break in it is refused")
    func fields() async {
        #expect(HTTPFields(["X-B": "2", "X-A": "1"]).map(\.value) == ["1", "2"])
        let client = HTTPClient(baseURL: URL(string: "https://a.example"), transport: MockTransport { _ in .data(Data()) })
        await #expect(throws: HTTPError.invalidRequest("")) {
            try await client.send(Request<Data>.get("x", headers: HTTPFields(["X-A": "1\r\nX-B: 2"])))
        }
    }

    @Test("A request names the type of its response in the call, in every form")
    func typesInCalls() async throws {
        let client = HTTPClient(baseURL: URL(string: "https://a.example"), transport: MockTransport { _ in .json("[1]") })
        #expect(try await client.send(.get("x"), as: [Int].self) == [1])
        #expect(try await client.response(for: .get("x"), as: [Int].self).body == [1])
        #expect(try await client.response(for: .get("x")).body == Data("[1]".utf8))
        #expect(try await client.result(of: .get("x"), as: [Int].self).get() == [1])
        try await client.send(.delete("x"), as: EmptyResponse.self)
        try await client.send(.delete("x"))
    }
}
