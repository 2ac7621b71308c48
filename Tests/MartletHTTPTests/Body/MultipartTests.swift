import Foundation
import TestSupport
import Testing

@testable import MartletHTTP

@Suite("Multipart bodies", .timeLimit(.minutes(5)))
struct MultipartTests {
    private let file = FileManager.default.temporaryDirectory.appendingPathComponent("martlet-multi-\(UUID()).PNG")

    private func text(_ multipart: Multipart) async throws -> String {
        String(decoding: try await multipart.body().collect(), as: UTF8.self)
    }

    private static func stream(_ chunks: [String], length: Int64? = nil, replayable: Bool = false) -> HTTPBody {
        let all = chunks.map { Data($0.utf8) }
        return HTTPBody(length: length, replayable: replayable) { AsyncStream(chunks: all) }
    }

    @Test("Texts, bytes, files and streams are written with their fields, and the length is correct (RFC 7578 §4)")
    func writing() async throws {
        try Data("file".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let multipart = Multipart(
            [
                .text("title", "Sw\r\nift"), .data("raw", Data("\r\n--".utf8), contentType: "a/b", headers: ["X-Own": "1"]),
                .file("photo", file, filename: "a\"\r\nü.png"), .body("s", Self.stream(["st", "ream"], length: 6), filename: "s"),
            ], boundary: "B")
        let expected = """
            --B\r\nContent-Disposition: form-data; name="title"\r\n\r\nSw\r\nift\r\n\
            --B\r\nContent-Disposition: form-data; name="raw"\r\nContent-Type: a/b\r\nX-Own: 1\r\n\r\n\r\n--\r\n\
            --B\r\nContent-Disposition: form-data; name="photo"; filename="a%22%0D%0Aü.png"\r\nContent-Type: image/png\r\n\r\nfile\r\n\
            --B\r\nContent-Disposition: form-data; name="s"; filename="s"\r\nContent-Type: application/octet-stream\r\n\r\nstream\r\n\
            --B--\r\n
            """
        #expect(try multipart.body().length == Int64(expected.utf8.count))
        #expect(try await text(multipart) == expected)
        #expect(multipart.contentType == "multipart/form-data; boundary=B")
        #expect(multipart.length == nil)
    }

    @Test("The length is known without opening files if each part knows its own, and otherwise unknown")
    func length() async throws {
        let known = Multipart([.text("a", "b"), .body("s", Self.stream(["abc"], length: 3, replayable: true))])
        #expect(known.length == Int64(try await known.body().collect().count))
        #expect(known.isReplayable)
        let unknown = Multipart([.text("a", "b"), .stream("s", AsyncStream(chunks: [[1, 2, 3] as [UInt8]]))])
        #expect(unknown.length == nil)
        #expect(!unknown.isReplayable)
        #expect(try unknown.body().length == nil)
        let none = Multipart([], boundary: "B")
        #expect(try await text(none) == "--B--\r\n")
        #expect(none.length == 7)
    }

    @Test("A body of replayable parts can be sent again; one with a stream fails the second time before its first byte")
    func replaying() async throws {
        let again = try Multipart([.text("a", "b"), .body("s", Self.stream(["abc"], replayable: true))]).body()
        #expect(again.isReplayable)
        #expect(try await again.collect() == again.collect())
        let multipart = Multipart([.text("a", "b"), .body("s", Self.stream(["abc"]))])
        _ = try await multipart.body().collect()
        for body in [try multipart.body(), try multipart.body()] {
            var iterator = body.makeAsyncIterator()
            do {
                _ = try await iterator.next()
                Issue.record("began anew")
            } catch {
                guard case .bodyNotReplayable = error else {
                    Issue.record(error)
                    return
                }
            }
        }
    }

    @Test("Files are opened when they are reached; a missing or shorter file is an error, before and during sending")
    func files() async throws {
        #expect(throws: HTTPError.self) { try Multipart([.file("a", file)]).body() }
        try Data(count: 100_000).write(to: file)
        let body = try Multipart([.file("a", file)]).body()
        try Data(count: 99_999).write(to: file)
        await #expect(throws: HTTPError.self) { try await body.collect() }
        try FileManager.default.removeItem(at: file)
        let error = await #expect(throws: HTTPError.self) { try await body.collect() }
        guard case .invalidRequest = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("A part with more or fewer bytes than its length is an error", arguments: [2, 4])
    func wrongLength(promised: Int64) async throws {
        let body = try Multipart([.body("s", Self.stream(["a", "bc"], length: promised)), .text("a", "b")]).body()
        let error = await #expect(throws: HTTPError.self) { try await body.collect() }
        guard case .invalidRequest = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("Fields that could inject a line, invalid subtypes and invalid boundaries are refused")
    func refusing() {
        let own = MultipartPart(headers: ["X-A": "b\r\nX-C: d"], body: HTTPBody("x"))
        let bad = [
            Multipart([own]), Multipart([.text("a", "b", headers: ["X\r\nY": "z"])]),
            Multipart([.data("a", Data(), contentType: "a/b\r\nX: y")]),
            Multipart([.text("a\0", "b")]), Multipart([], subtype: "a b"), Multipart([], subtype: ""), Multipart([], boundary: ""),
            Multipart([], boundary: "a "), Multipart([], boundary: "a\r\nb"), Multipart([], boundary: String(repeating: "x", count: 71)),
            Multipart([.text("a", "xBOUNDx")], boundary: "BOUND"), Multipart([.text("BOUND", "")], boundary: "BOUND"),
        ]
        for multipart in bad {
            let error = #expect(throws: HTTPError.self) { try multipart.body() }
            guard case .invalidRequest = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
    }

    @Test("A boundary that occurs in a content is replaced, even if the random source repeats itself")
    func boundaries() async throws {
        struct Same: RandomSource { func next() -> UInt64 { 0 } }
        let plain = "martlet-" + String(repeating: "0", count: 32)
        #expect(Multipart([], random: Same()).boundary == plain)
        let multipart = Multipart([.text("a", "x\r\n--\(plain)"), .text("b", "--\(plain)-1"), .text(plain + "-2", "")], random: Same())
        #expect(multipart.boundary == plain + "-3")
        // A delimiter before each of the three parts, and the closing one.
        let text = String(decoding: try await multipart.body().collect(), as: UTF8.self)
        #expect(text.ranges(of: "--" + multipart.boundary).count == 4)
        #expect(Multipart([]).boundary != Multipart([]).boundary)
        #expect(MultipartBoundary.isValid(Multipart([]).boundary))
    }

    @Test("The search finds a boundary at any position, and only the boundary")
    func searching() {
        for position in 0...20 {
            let content = Data(repeating: UInt8(ascii: "a"), count: position) + Data("aab".utf8) + Data(repeating: 0, count: 20 - position)
            #expect(MultipartBoundary.contains("aab", content))
            #expect(MultipartBoundary.contains("aab", content.dropFirst(position)))
            #expect(!MultipartBoundary.contains("aab", content.dropFirst(position + 1)))
            #expect(!MultipartBoundary.contains("aac", content))
        }
        #expect(!MultipartBoundary.contains("aab", Data("aa".utf8)))
    }

    @Test("Other subtypes, parts with custom fields, and boundaries that need quotes are supported")
    func mixed() async throws {
        let parts = [
            MultipartPart(headers: ["Content-Type": "text/html", "Content-ID": "<1>"], body: HTTPBody("<p>")),
            MultipartPart(body: HTTPBody("x")),
        ]
        let multipart = Multipart(parts, subtype: "related", boundary: "a b")
        #expect(multipart.contentType == "multipart/related; boundary=\"a b\"")
        #expect(
            try await text(multipart) == "--a b\r\nContent-Type: text/html\r\nContent-ID: <1>\r\n\r\n<p>\r\n--a b\r\n\r\nx\r\n--a b--\r\n")
    }

    @Test("A file's type is derived from its extension, and is application/octet-stream if unknown")
    func types() {
        #expect(FileType.guess(of: "a.JPG") == "image/jpeg")
        for name in ["a", "a.", ".", "a.unknown", "", "png"] { #expect(FileType.guess(of: name) == "application/octet-stream") }
        #expect(MultipartPart.file("a", file).headers[.contentType] == "image/png")
        #expect(MultipartPart.file("a", file, contentType: "x/y").headers[.contentType] == "x/y")
    }

    @Test("Many small parts are sent in few chunks, and large contents are passed on unchanged")
    func chunks() async throws {
        var sizes: [Int] = []
        let large = Data(count: 1_000_000)
        for try await chunk in try Multipart((0..<50).map { .text("n\($0)", "v") } + [.data("l", large)]).body() {
            sizes.append(chunk.count)
        }
        #expect(sizes.count == 3 && sizes[1] == 1_000_000)
    }
}
