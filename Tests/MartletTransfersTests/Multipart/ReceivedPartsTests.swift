import Foundation
import MartletSystem
import MartletTransfers
import TestSupport
import Testing

@Suite("Parts of a multipart response", .timeLimit(.minutes(5)))
struct ReceivedPartsTests {
    private static func body(_ chunks: [String]) -> HTTPBody { HTTPBody(AsyncStream(chunks: chunks.map { Data($0.utf8) })) }

    private static let two = [
        "--B\r\nContent-Disposition: form-data; name=\"a\"\r\nContent-", "Type: text/plain\r\n\r\non", "e\r\n--B\r\n\r\n", "tw", "o\r\n--",
        "B--\r\n",
    ]

    @Test("Parts arrive in order with their fields and bodies")
    func reading() async throws {
        var found: [String] = []
        for try await part in Self.body(Self.two).parts(boundary: "B") {
            found.append(
                "\(part.name ?? "-") \(part.contentType?.essence ?? "-") \(String(decoding: try await part.body.collect(), as: UTF8.self))")
        }
        #expect(found == ["a text/plain one", "- - two"])
    }

    @Test("Requesting the next part skips the rest of the previous one, whose body can't be read any more")
    func skipping() async throws {
        var iterator = Self.body(Self.two).parts(boundary: "B").makeAsyncIterator()
        let first = try #require(try await iterator.next())
        let second = try #require(try await iterator.next())
        do {
            _ = try await first.body.collect()
            Issue.record("read a part that was skipped")
        } catch {
            guard case .bodyNotReplayable = error else {
                Issue.record(error)
                return
            }
        }
        #expect(try await second.body.collect() == Data("two".utf8))
        #expect(try await iterator.next() == nil)
        #expect(try await iterator.next() == nil)
    }

    @Test("A part is returned with its head, and its bytes as they arrive, without reading ahead")
    func latency() async throws {
        let count = Locked(0)
        let chunks = Self.two.map { Data($0.utf8) }
        let body = HTTPBody(length: nil) {
            count.withLock { count in
                count += 1
                return count <= chunks.count ? chunks[count - 1] : nil
            }
        }
        var iterator = body.parts(boundary: "B").makeAsyncIterator()
        let first = try #require(try await iterator.next())
        #expect(count.withLock { $0 } == 2)
        var bytes = first.body.makeAsyncIterator()
        #expect(try await bytes.next() == Data("on".utf8))
        #expect(count.withLock { $0 } == 2)
        #expect(try await bytes.next() == Data("e".utf8))
        #expect(try await bytes.next() == nil)
        #expect(count.withLock { $0 } == 3)
        _ = try await iterator.next()
        #expect(count.withLock { $0 } == 3)
        #expect(try await iterator.next() == nil)
        // The closing boundary ends the parts without waiting for the end of the body.
        #expect(count.withLock { $0 } == 6)
    }

    @Test("A body that ends before its closing boundary returns its parts, and then throws")
    func truncated() async throws {
        var iterator = Self.body(Self.two.dropLast()).parts(boundary: "B").makeAsyncIterator()
        _ = try await iterator.next()
        let last = try #require(try await iterator.next())
        await #expect(throws: HTTPError.self) { try await last.body.collect() }
        for _ in 0..<2 {
            do {
                _ = try await iterator.next()
                Issue.record("took it for whole")
            } catch { #expect(error == .invalidResponse("the multipart body ended before its closing boundary")) }
        }
    }

    @Test("An error of the body is thrown by the parts")
    func failing() async throws {
        let body = HTTPBody(length: nil) { () async throws -> Data? in throw HTTPError.timeout }
        var iterator = body.parts(boundary: "B").makeAsyncIterator()
        await #expect(throws: HTTPError.timeout) { try await iterator.next() }
    }

    @Test("The boundary comes from the Content-Type, and a response of another type is invalid and names the request")
    func answers() async throws {
        let text = Data(Self.two.joined().utf8)
        func answer(_ type: String?) -> HTTPResponse<Data> {
            var response = HTTPResponse(status: 200, headers: type.map { ["Content-Type": $0] } ?? [:], body: text)
            response.metadata.request = HTTPRequest(method: .get, url: URL(string: "http://a.example/b")!)
            return response
        }
        for type in ["multipart/mixed; boundary=B", "Multipart/ByteRanges;charset=x; BOUNDARY=\"B\""] {
            var count = 0
            for try await _ in answer(type).parts() { count += 1 }
            for try await _ in answer(type).map({ HTTPBody($0) }).parts() { count += 1 }
            #expect(count == 4)
        }
        for type in [nil, "text/plain; boundary=B", "multipart/mixed", "multipart/mixed; boundary=\"\"", "x"] {
            var iterator = answer(type).parts().makeAsyncIterator()
            do {
                _ = try await iterator.next()
                Issue.record("read \(type ?? "nil")")
            } catch {
                guard case .invalidResponse = error else {
                    Issue.record(error)
                    continue
                }
                #expect(error.request?.url.path == "/b")
            }
        }
    }

    @Test("The limits apply to the head and the number of parts, and a part's content may have any size")
    func limits() async throws {
        let large = "--B\r\n\r\n" + String(repeating: "x", count: 1_000_000) + "\r\n--B--"
        var iterator = Self.body([large]).parts(boundary: "B", maxHeadBytes: 2, maxParts: 1).makeAsyncIterator()
        #expect(try await iterator.next()?.body.collect().count == 1_000_000)
        #expect(try await iterator.next() == nil)
        var many = Self.body(Self.two).parts(boundary: "B", maxParts: 1).makeAsyncIterator()
        _ = try await many.next()
        await #expect(throws: HTTPError.responseTooLarge(SizeLimitFailure(.parts, limit: 1))) { try await many.next() }
    }

    @Test("Releasing the parts releases the body, unless a part is still held")
    func lettingGo() async throws {
        final class Source: HTTPBodyReader {
            let cancelled = Locked(false)
            let chunks = Locked(ReceivedPartsTests.two[...])
            func next() async throws(HTTPError) -> Data? { chunks.withLock { $0.popFirst() }.map { Data($0.utf8) } }
            func cancel(_ reason: HTTPError) { cancelled.withLock { $0 = true } }
        }
        let source = Source()
        var part: ReceivedPart?
        for try await first in HTTPBody(reader: source).parts(boundary: "B") {
            part = first
            break
        }
        #expect(!source.cancelled.withLock { $0 })
        #expect(try await part?.body.collect() == Data("one".utf8))
        #expect(!source.cancelled.withLock { $0 })
        part = nil
        #expect(source.cancelled.withLock { $0 })
    }
}
