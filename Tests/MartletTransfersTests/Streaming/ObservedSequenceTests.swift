import Foundation
import MartletTesting
import MartletTransfers
import TestSupport
import Testing

@Suite("ObservedSequence", .timeLimit(.minutes(5)))
struct ObservedSequenceTests {
    private let log = EventLog()
    private let time = ManualTime()

    private func client(_ replies: MockReply...) -> HTTPClient {
        HTTPClient(baseURL: URL(string: "https://h/"), transport: MockTransport(replies: replies), observers: [log], time: time)
    }

    @Test("Lines are one call that ends with the last one")
    func lines() async throws {
        var lines: [String] = []
        for try await line in client(.stream("a\nb\n")).lines(.get("x")) { lines.append(line) }
        #expect(lines == ["a", "b"])
        #expect(log.ends == ["1 started GET /x", "1 ended: 200"] && log.calls.map(\.kind) == [.stream])
    }

    @Test("A value or an element that can't be decoded fails the call")
    func decoding() async {
        let client = client(.stream("1\n\"a\"\n"), .stream("[1,\"a\"]"))
        do { for try await _ in client.jsonLines(.get("x"), as: Int.self) {} } catch {}
        await log.wait(for: "1 failed and ended: decoding")
        do { for try await _ in client.elements(.get("x"), as: Int.self) {} } catch {}
        await log.wait(for: "2 failed and ended: decoding")
        #expect(log.ends.count == 4)
    }

    @Test("A sequence that is left ends as cancelled, and one that is not read is not a call")
    func left() async throws {
        let client = client(.stream("a\nb\n"))
        _ = client.lines(.get("x")).makeAsyncIterator()
        #expect(log.lines == [])
        func first() async throws -> String? {
            for try await line in client.lines(.get("x")) { return line }
            return nil
        }
        #expect(try await first() == "a")
        await log.wait(for: "1 failed and ended: cancelled")
        #expect(log.ends.count == 2)
    }

    @Test("An event stream is one call over its connections, and its decoding errors are its outcome")
    func events() async throws {
        let client = client(.events("data: 1\n\n"), .status(204), .events("data: x\n\n"))
        var seen: [String] = []
        for try await event in client.events(.get("x")) { seen.append(event.data) }
        #expect(seen == ["1"])
        #expect(log.ends == ["1 started GET /x", "1 ended: 200"] && log.lines.contains("1 attempt 2"))
        do { for try await _ in client.events(.get("x"), as: Int.self) {} } catch {}
        await log.wait(for: "2 failed and ended: decoding")
        #expect(log.calls.map(\.kind) == [.events, .events] && log.ends.count == 4)
    }

    @Test("Each page is a call of its own")
    func pages() async throws {
        let client = client(.json("[1]", headers: ["Link": "</x?page=2>; rel=next"]), .json("[2]"))
        var all: [[Int]] = []
        for try await page in client.pages(Request<[Int]>.get("x"), next: .link) { all.append(page) }
        #expect(all == [[1], [2]])
        #expect(log.ends == ["1 started GET /x", "1 ended: 200", "2 started GET /x", "2 ended: 200"])
    }

    @Test("A download is one call with its resumption, and so is one that fails")
    func download() async throws {
        let folder = try Folder()
        let fields: HTTPFields = ["ETag": "\"v\"", "Accept-Ranges": "bytes"]
        let client = client(
            .text("abcdef", headers: fields).disconnecting(afterBodyBytes: 3),
            .text("def", status: 206, headers: ["ETag": "\"v\"", "Content-Range": "bytes 3-5/6"]), .status(404))
        let file = try await client.download(.get("x"), to: folder.file("f"))
        #expect(try String(contentsOf: file.url, encoding: .utf8) == "abcdef")
        #expect(log.ends == ["1 started GET /x", "1 ended: 206"] && log.lines.contains("1 attempt 2"))
        _ = try? await client.download(.get("x"), to: folder.file("g"))
        #expect(log.lines.last == "2 failed and ended: status 404" && log.calls.map(\.kind) == [.download, .download])
    }

    @Test("A resumable upload is one call with all of its requests")
    func upload() async throws {
        let folder = try Folder(), source = folder.file("f")
        try Data("abc".utf8).write(to: source)
        let client = client(
            .status(201, headers: [.location: "/files/1"]), .status(204, headers: ["Upload-Offset": "3"]))
        _ = try await client.uploadResumably(source, to: .post("files"))
        #expect(log.ends == ["1 started POST /files", "1 ended: 204"] && log.calls.map(\.kind) == [.upload])
        #expect(log.lines.contains("1 attempt 2"))
    }
}
