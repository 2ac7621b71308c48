import Foundation
import MartletSystem
import MartletTesting
import Testing

@testable import MartletHTTP

@Suite("LimitedReader, and the limit of streamed bodies", .timeLimit(.minutes(5)))
struct LimitedReaderTests {
    private static let tooLarge = HTTPError.responseTooLarge(SizeLimitFailure(limit: 5))

    private func stream(_ reply: MockReply, limit: Int64?) async throws -> HTTPBody {
        let configuration = HTTPClient.Configuration(limits: .init(streamBytes: limit))
        let client = HTTPClient(baseURL: URL(string: "https://h/"), transport: MockTransport(reply), configuration: configuration)
        return try await client.stream(Request<Data>.get("x")).body
    }

    @Test("Chunks are returned up to the limit; the chunk beyond it and all later reads throw the error")
    func passing() async throws {
        var chunks = try await stream(.stream("ab", "cde", "f"), limit: 5).makeAsyncIterator()
        #expect(try await chunks.next() == Data("ab".utf8))
        #expect(try await chunks.next() == Data("cde".utf8))
        let error = await #expect(throws: HTTPError.self) { try await chunks.next() }
        #expect(error == Self.tooLarge && error?.request?.url.path == "/x" && error?.stage == .body)
        await #expect(throws: Self.tooLarge) { try await chunks.next() }
    }

    @Test("Exactly the allowed number of bytes passes, and without a limit all bytes do")
    func fitting() async throws {
        #expect(try await stream(.stream("ab", "cde"), limit: 5).collect() == Data("abcde".utf8))
        #expect(try await stream(.stream("ab", "cde", "f"), limit: nil).collect() == Data("abcdef".utf8))
        #expect(try await stream(.stream("ab"), limit: 0x7FFF_FFFF_FFFF_FFFF).collect() == Data("ab".utf8))
    }

    @Test("A body whose declared length is over the limit is not read, even in memory")
    func promised() async throws {
        await #expect(throws: Self.tooLarge) { try await stream(.text("abcdef"), limit: 5).collect() }
        struct InMemory: Transport {
            func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
                HTTPResponse(status: .ok, body: HTTPBody("abcdef"))
            }
        }
        for (limit, isTaken) in [(Int64(5), false), (6, true)] {
            let client = HTTPClient(
                baseURL: URL(string: "https://h/"), transport: InMemory(), configuration: .init(limits: .init(streamBytes: limit)))
            let body = try await client.stream(Request<Data>.get("x")).body
            if isTaken {
                #expect(try await body.collect() == Data("abcdef".utf8))
            } else {
                await #expect(throws: Self.tooLarge) { try await body.collect() }
            }
            #expect(try await client.send(Request<String>.get("x")) == "abcdef")
        }
    }

    @Test("The source of the body is released at the limit")
    func cancelling() async throws {
        final class Endless: HTTPBodyReader {
            let reason = Locked<HTTPError?>(nil)
            func next() async throws(HTTPError) -> Data? { Data(count: 4) }
            func cancel(_ reason: HTTPError) { self.reason.withLock { $0 = reason } }
        }
        let endless = Endless()
        let reader = LimitedReader(endless, length: nil, limit: 5, failure: Self.tooLarge)
        _ = try await reader.next()
        await #expect(throws: Self.tooLarge) { try await reader.next() }
        #expect(endless.reason.withLock { $0 } == Self.tooLarge)
    }
}
