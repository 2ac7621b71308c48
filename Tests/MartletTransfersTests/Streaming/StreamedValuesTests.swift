import Foundation
import MartletTesting
import Testing

@testable import MartletTransfers

@Suite(.timeLimit(.minutes(5))) struct StreamedValuesTests {
    struct Bird: Codable, Hashable, Sendable {
        var fullName: String
    }

    private func client(_ pieces: String...) -> HTTPClient {
        HTTPClient(
            baseURL: URL(string: "https://a.example"), transport: MockTransport(.stream(pieces.map { Data($0.utf8) })), decoder: .snakeCase)
    }

    private func texts<Value>(_ values: ValueSequence<Value, HTTPError>) async -> (texts: [String], errors: [HTTPError]) {
        var iterator = values.makeAsyncIterator(), texts: [String] = [], errors: [HTTPError] = []
        while errors.count < 10 {
            do throws(HTTPError) {
                guard let value = try await iterator.next() else { break }
                texts.append("\(value)")
            } catch { errors.append(error) }
        }
        return (texts, errors)
    }

    @Test("Each line is a value decoded with the client's decoder, and empty lines are skipped")
    func jsonLines() async throws {
        let client = client("{\"full_name\":\"a\"}\n\n{\"full_na", "me\":\"b\"}\r\n   \n", "{\"full_name\":\"c\"}")
        var birds: [Bird] = []
        for try await bird in client.jsonLines(Request<Bird>.get("birds")) { birds.append(bird) }
        #expect(birds.map(\.fullName) == ["a", "b", "c"])
    }

    @Test("The request accepts JSON Lines unless it has its own Accept")
    func accept() async throws {
        let transport = MockTransport(.stream("1\n"), .stream("1\n"))
        let client = HTTPClient(baseURL: URL(string: "https://a.example"), transport: transport)
        for try await number in client.jsonLines(Request<Int>.get("x")) { #expect(number == 1) }
        for try await _ in client.jsonLines(Request<Int>.get("x", headers: [.accept: "text/x"])) {}
        #expect(transport.requests.map { $0.headers[.accept]?.prefix(17) } == ["application/jsonl", "text/x"])
    }

    @Test("A value that can't be decoded throws with its number and its bytes, and the following values are returned")
    func broken() async throws {
        let (texts, errors) = await texts(client("1\n\n\"two\"\n3\n").jsonLines(Request<Int>.get("x")))
        #expect(texts == ["1", "3"] && errors.count == 1)
        guard case .decodingFailed(let failure)? = errors.first else { throw Unexpected() }
        #expect(failure.codingPath == "[1]" && failure.response.body == Data("\"two\"".utf8) && failure.context.request?.url.path == "/x")
        #expect(failure.context.attempts == 1 && failure.context.stage == .decoding)
    }

    struct Unexpected: Error {}

    @Test("A mapped request maps each line")
    func mapped() async throws {
        let request = Request<Int>.get("x").map { $0 * 2 }
        #expect(await texts(client("1\n2\n").jsonLines(request)).texts == ["2", "4"])
    }

    @Test("A text that may be truncated is refused, and the following texts are returned (RFC 7464 §2.4)")
    func jsonSequence() async throws {
        let (texts, errors) = await texts(client("\u{1e}1\n\u{1e}2\u{1e}3\n\u{1e}").jsonSequence(Request<Int>.get("x")))
        #expect(texts == ["1", "3"] && errors.count == 1 && "\(errors[0])".contains("cut off"))
        let words = await self.texts(client("\u{1e}\"a\"\u{1e}\"b\"").jsonSequence(Request<String>.get("x")))
        #expect(words.texts.count == 2 && words.errors.isEmpty)
    }

    @Test("A status that is not accepted, or a line over the limit, ends the sequence with its error")
    func ends() async throws {
        let refused = HTTPClient(baseURL: URL(string: "https://a.example"), transport: MockTransport(.status(404)))
        var iterator = refused.lines(.get("x")).makeAsyncIterator()
        await #expect(throws: HTTPError.self) { try await iterator.next() }
        #expect(try await iterator.next() == nil)
        var long = client("1\n123456\n1\n").lines(.get("x"), maxLineBytes: 5).makeAsyncIterator()
        #expect(try await long.next() == "1", "what came before the error is not lost")
        await #expect(throws: HTTPError.responseTooLarge(SizeLimitFailure(.line, limit: 5))) { try await long.next() }
        #expect(try await long.next() == nil)
    }

    @Test("The lines of an existing body are returned")
    func body() async throws {
        var lines: [String] = []
        for try await line in HTTPBody("a\nb").lines() { lines.append(line) }
        for try await number in HTTPBody("1\n2").jsonLines(as: Int.self) { lines.append("\(number)") }
        #expect(lines == ["a", "b", "1", "2"])
    }
}
