import Foundation
import Martlet
import MartletTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct MockExchangeTests {
    func send(
        _ reply: MockReply, isStreamed: Bool = false, method: HTTPMethod = .get, time: any TimeSource = ManualTime(),
        limits: ResponseLimits = .init()
    ) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        var request = HTTPRequest(method: method, url: URL(string: "https://api.example/x")!)
        request.context.streamsBody = isStreamed
        request.context.limits = limits
        return try await MockTransport(reply, time: time).send(request)
    }

    func chunks(_ response: HTTPResponse<HTTPBody>) async throws(HTTPError) -> [String] {
        var chunks: [String] = []
        for try await chunk in response.body { chunks.append(String(decoding: chunk, as: UTF8.self)) }
        return chunks
    }

    @Test("A streamed delivery returns a stream with the reply's pieces")
    func streamed() async throws {
        let plain = try await send(.text("abc"), isStreamed: true)
        #expect(plain.body.buffered == nil && plain.body.length == 3)
        #expect(try await chunks(plain) == ["abc"])
        #expect(try await chunks(send(.text("abcdefg").chunked(1, 2), isStreamed: true)) == ["a", "bc", "de", "fg"])
        #expect(try await chunks(send(.stream("one", "", "two"), isStreamed: true)) == ["one", "two"])
        #expect(try await chunks(send(.stream { HTTPBody("made") }, isStreamed: true)) == ["made"])
        #expect(try await send(.stream("one", "two")).body.buffered == Data("onetwo".utf8))
        #expect(try await send(.stream { HTTPBody("made") }).body.buffered == Data("made".utf8))
    }

    @Test("A reply can be used again with any kind of body")
    func reuse() async throws {
        for reply in [MockReply.stream("a", "b"), .stream { HTTPBody("ab") }, .text("ab").chunked(1)] {
            for _ in 0..<2 { #expect(try await send(reply, isStreamed: true).body.collect() == Data("ab".utf8)) }
        }
    }

    @Test("Responses to HEAD and statuses without content have no body (RFC 9110 §6.4.1)")
    func withoutContent() async throws {
        #expect(try await send(.text("abc"), method: .head).body.buffered?.isEmpty == true)
        for status: HTTPStatus in [204, 304] { #expect(try await send(.text("abc", status: status)).body.buffered?.isEmpty == true) }
    }

    @Test("The request's limits for head and body apply")
    func limits() async throws {
        let small = ResponseLimits(bodyBytes: 3, headBytes: 40)
        #expect(try await send(.data(Data("abc".utf8)), limits: small).body.buffered?.count == 3)
        await #expect(throws: HTTPError.responseTooLarge(SizeLimitFailure(limit: 3))) {
            try await send(.data(Data("abcd".utf8)), limits: small)
        }
        await #expect(throws: HTTPError.responseTooLarge(SizeLimitFailure(limit: 3))) { try await send(.stream("ab", "cd"), limits: small) }
        await #expect(throws: HTTPError.responseTooLarge(SizeLimitFailure(.head, limit: 40))) {
            try await send(.status(200, headers: ["X-Long": String(repeating: "x", count: 60)]), limits: small)
        }
        #expect(try await chunks(send(.text("abcd"), isStreamed: true, limits: ResponseLimits(bodyBytes: 3))) == ["abcd"])
    }

    @Test("A broken connection is .connectionLost, and the stage shows whether the head had arrived")
    func disconnects() async throws {
        let lost = HTTPError.networkError(NetworkFailure(.connectionLost))
        for reply in [MockReply.disconnect, .reset, .text("abc").disconnecting(afterHeadBytes: 4)] {
            await #expect(throws: lost) { try await send(reply) }
            await #expect(throws: lost) { try await send(reply, isStreamed: true) }
        }
        let cut = MockReply.text("abcdef").chunked(2).disconnecting(afterBodyBytes: 3)
        let isLostInBody: @Sendable (any Error) -> Bool = { $0 as? HTTPError == lost && ($0 as? HTTPError)?.stage == .body }
        await #expect { try await send(.reset) } throws: { ($0 as? HTTPError)?.stage == .exchange }
        await #expect { try await send(cut) } throws: { isLostInBody($0) }
        let seen = Recorder<String>()
        await #expect {
            for try await chunk in try await send(cut, isStreamed: true).body { seen.append(String(decoding: chunk, as: UTF8.self)) }
        } throws: { isLostInBody($0) }
        #expect(seen.values == ["ab", "c"])
        await #expect(throws: lost) { try await send(.text("abc").disconnecting(afterBodyBytes: 1, reset: true)) }
    }

    @Test("A reply that only one of the doubles supports throws an error that says so")
    func elsewhere() async {
        await #expect { try await send(.raw("HTTP/1.1 200 OK\r\n\r\n")) } throws: {
            if case .invalidRequest = $0 as? HTTPError { true } else { false }
        }
        await #expect(throws: HTTPError.timeout) { try await send(.failure(.timeout)) }
    }

    @Test("Trailers arrive with a buffered response, whose metadata has the request")
    func metadata() async throws {
        let response = try await send(.text("x").trailers(["X-Sum": "1"]))

        #expect(response.metadata.trailers["X-Sum"] == "1")
        #expect(response.metadata.url?.path == "/x")
    }

    @Test("Delays before the body and between pieces use the given time source")
    func waits() async throws {
        let time = ManualTime()
        let reply = MockReply.text("abc").chunked(1).delayed(by: .seconds(1)).bodyDelayed(by: .seconds(2)).piecesDelayed(by: .seconds(3))

        #expect(try await chunks(send(reply, isStreamed: true, time: time)) == ["a", "b", "c"])

        #expect(time.sleeps == [.seconds(1), .seconds(2), .seconds(3), .seconds(3), .seconds(3)])
    }

    @Test("Dropping or cancelling a streamed body ends its source")
    func cancelled() async throws {
        let asked = Recorder<Int>()
        let endless = MockReply.stream {
            HTTPBody {
                asked.append(1)
                return asked.count == 1 ? Data("a".utf8) : try await Recorder<Data>().value(at: 0)
            }
        }
        let response = try await send(endless, isStreamed: true)
        let reading = Task { try await response.body.collect() }
        _ = try await asked.first(2)
        reading.cancel()

        await #expect(throws: HTTPError.cancelled) { try await reading.value }
    }
}
