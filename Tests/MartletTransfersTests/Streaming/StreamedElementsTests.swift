import Foundation
import MartletTesting
import Testing

@testable import MartletTransfers

@Suite("Elements of a streamed JSON array", .timeLimit(.minutes(5)))
struct StreamedElementsTests {
    struct Bird: Codable, Hashable, Sendable {
        var fullName: String
    }

    private func client(_ pieces: String...) -> HTTPClient {
        HTTPClient(
            baseURL: URL(string: "https://a.example"), transport: MockTransport(.stream(pieces.map { Data($0.utf8) })), decoder: .snakeCase)
    }

    private func read<Element>(_ elements: ValueSequence<Element, HTTPError>) async -> (values: [Element], errors: [HTTPError]) {
        var iterator = elements.makeAsyncIterator(), values: [Element] = [], errors: [HTTPError] = []
        while errors.count < 10 {
            do throws(HTTPError) {
                guard let value = try await iterator.next() else { break }
                values.append(value)
            } catch { errors.append(error) }
        }
        return (values, errors)
    }

    @Test("Elements are decoded with the client's decoder, wherever chunks end")
    func elements() async throws {
        let client = client("[{\"full_name\":\"a\"} ", ", {\"full_na", "me\":\"b\"},", "{\"full_name\":\"c\"}", "]\n")
        var birds: [Bird] = []
        for try await bird in client.elements(.get("birds"), as: Bird.self) { birds.append(bird) }
        #expect(birds.map(\.fullName) == ["a", "b", "c"])
    }

    @Test("An array at a key path is found after other members, which are skipped")
    func keyPath() async throws {
        let text = #"{"meta": {"items": [0]}, "data": {"total": 2, "items": [1, 2]}, "rest": [3]}"#
        let read = await read(client(text).elements(.get("x"), as: Int.self, at: "data.items"))
        #expect(read.values == [1, 2] && read.errors.isEmpty)
    }

    @Test("The response type of an endpoint names the element type")
    func typed() async throws {
        let elements = client("[1,2]").elements(Request<[Int]>.get("x"))
        #expect(await read(elements).values == [1, 2])
    }

    @Test("Strings are decoded as JSON")
    func strings() async throws {
        #expect(await read(client(#"["a", "b\n"]"#).elements(.get("x"), as: String.self)).values == ["a", "b\n"])
    }

    @Test("The request asks for JSON")
    func accept() async throws {
        let transport = MockTransport(.stream("[]"))
        let client = HTTPClient(baseURL: URL(string: "https://a.example"), transport: transport)
        for try await _ in client.elements(.get("x"), as: Int.self) {}
        #expect(transport.requests.map { $0.headers[.accept] } == ["application/json"])
    }

    @Test("An element that can't be decoded names its index and has its bytes, and the following elements are read")
    func broken() async throws {
        let read = await read(client(#"{"a": [1, "two", {"x": []}, 3]}"#).elements(.get("x"), as: Int.self, at: "a"))
        #expect(read.values == [1, 3] && read.errors.count == 2)
        guard case .decodingFailed(let failure)? = read.errors.first else { throw Unexpected() }
        #expect(failure.codingPath == "a[1]" && failure.response.body == Data("\"two\"".utf8) && failure.context.request?.url.path == "/x")
        #expect(failure.context.attempts == 1 && failure.context.stage == .decoding)
    }

    struct Unexpected: Error {}

    @Test(
        "A document that is not JSON, is truncated or has no array at the path ends the sequence after the elements before it",
        arguments: [
            ("[1,2,x]", "", [1, 2], "byte 5"), ("[1,2", "", [1], "too early"), ("[1] 2", "", [1], "after the document"),
            (#"{"a":1}"#, "", [], "array"), (#"{"a":1}"#, "a", [], "array"), (#"{"a":[1]}"#, "b", [], "no member"),
            ("", "", [], "too early"),
        ])
    func malformed(text: String, path: String, values: [Int], reason: String) async throws {
        let read = await read(client(text).elements(.get("x"), as: Int.self, at: path))
        #expect(read.values == values && read.errors.count == 1)
        guard case .decodingFailed(let failure)? = read.errors.first else { throw Unexpected() }
        #expect(failure.reason.contains(reason), "\(failure.reason)")
        #expect(failure.context.request?.url.path == "/x" && failure.context.attempts == 1 && failure.context.stage == .decoding)
    }

    @Test("An element that exceeds the limit ends the sequence")
    func limit() async throws {
        let read = await read(client("[1,123456,2]").elements(.get("x"), as: Int.self, maxElementBytes: 5))
        #expect(read.values == [1] && read.errors == [.responseTooLarge(SizeLimitFailure(.element, limit: 5))])
    }

    @Test("A status that is not accepted ends the sequence, and the request is sent once")
    func status() async throws {
        let transport = MockTransport(.status(404))
        let client = HTTPClient(baseURL: URL(string: "https://a.example"), transport: transport)
        let read = await read(client.elements(.get("x"), as: Int.self))
        #expect(read.values.isEmpty && read.errors.count == 1 && transport.requests.count == 1)
    }

    @Test("The elements of an existing body are returned")
    func body() async throws {
        let body = HTTPBody(Data(#"{"items":[1.5,2]}"#.utf8))
        #expect(await read(body.elements(as: Double.self, at: "items")).values == [1.5, 2])
    }
}
