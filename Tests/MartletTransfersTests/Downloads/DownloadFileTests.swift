import Foundation
import Martlet
import MartletSystem
import MartletTesting
import Testing

/// The contract of a download for the file that it creates.
@Suite(.timeLimit(.minutes(5))) struct DownloadFileTests {
    private static let text = Data("a song".utf8)

    private func client(_ server: MockServer) -> HTTPClient {
        HTTPClient(
            baseURL: server.url, transport: PlatformTransport(), configuration: .init(totalTimeout: nil, idleTimeout: nil),
            time: ManualTime())
    }

    private func error(_ body: () async throws(HTTPError) -> TransferredFile) async -> HTTPError? {
        do throws(HTTPError) { _ = try await body() } catch { return error }
        return nil
    }

    private func kind(_ error: HTTPError?) -> FileFailure.Kind? { if case .fileFailed(let failure) = error { failure.kind } else { nil } }

    @Test("The server's digests are checked, and a file that does not match is removed (RFC 9530 §2, §3)")
    func digests() async throws {
        let right = "sha-256=:AhLwpucCS3lw8+SFL2zLqn9/nD9KCddFPrMM477dvD8=:"
        let wrong = "sha-256=:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=:"
        for name in ["Content-Digest", "Repr-Digest"] as [HTTPFieldName] {
            let server = try await MockServer.start(), folder = try Folder()
            let target = folder.file("song")
            server.enqueue(
                .data(Self.text, contentType: "a/b", headers: [name: wrong]), .data(Self.text, contentType: "a/b", headers: [name: right]))
            let failure = await error { () async throws(HTTPError) in try await client(server).download(.get("x"), to: target) }
            guard case .integrityFailed(let what) = failure else { throw Unexpected(failure) }
            #expect(what.text.contains("\(name)") && failure?.request?.url.path == "/x" && folder.names.isEmpty)
            #expect(failure?.attempts == 1 && failure?.trace.attempts.map(\.outcome) == [.status(.ok)])
            _ = try await client(server).download(.get("x"), to: target)
            #expect(folder.names == ["song"])
            await server.stop()
        }
    }

    struct Unexpected: Error { init(_ error: (any Error)?) { self.error = error }; let error: (any Error)? }

    @Test("The caller's checksum is checked, and an invalid one fails before anything is sent")
    func checksum() async throws {
        let server = try await MockServer.start(), folder = try Folder(), target = folder.file("song")
        server.enqueue(.data(Self.text, contentType: "a/b"), .data(Self.text, contentType: "a/b"), .data(Self.text, contentType: "a/b"))
        let client = client(server)
        let malformed = await error { () async throws(HTTPError) in
            try await client.download(.get("x"), to: target, options: .init(checksum: .sha256("abc")))
        }
        #expect(malformed == .invalidRequest("the checksum is not a sha-256 digest") && server.requests.isEmpty)
        let wrong = await error { () async throws(HTTPError) in
            try await client.download(.get("x"), to: target, options: .init(checksum: .sha256(String(repeating: "0", count: 64))))
        }
        #expect(wrong.map { if case .integrityFailed = $0 { true } else { false } } == true && folder.names.isEmpty)
        let sha512 =
            "ec70dde5a5d89ef7043d876f4ecabf64c28f11a43ca67308be4d9352399d6dc32afe20e747630971da512c3b99f06e6c87e45faff54fdb3d8c41e2f0d37cb722"
        for checksum in [ContentDigest.sha256("0212f0a6e7024b7970f3e4852f6ccbaa7f7f9c3f4a09d7453eb30ce3beddbc3f"), .sha512(sha512)] {
            _ = try await client.download(.get("x"), to: target, options: .init(checksum: checksum))
        }
        #expect(folder.names == ["song"])
        await server.stop()
    }

    @Test("Observers get the trace, the attempts and the status of a download whose checksum does not match")
    func observed() async throws {
        let server = try await MockServer.start(), folder = try Folder(), reports = Locked<[AnalyticsObserver<HTTPErrorMapper>.Report]>([])
        server.enqueue(.status(302, headers: [.location: "/y"]), .data(Self.text, contentType: "a/b"))
        let analytics = AnalyticsObserver { report in reports.withLock { $0.append(report) } }
        let client = HTTPClient(
            baseURL: server.url, transport: PlatformTransport(), observers: [analytics],
            configuration: .init(totalTimeout: nil, idleTimeout: nil), time: ManualTime())
        let wrong = await error { () async throws(HTTPError) in
            try await client.download(
                .get("x"), to: folder.file("song"), options: .init(checksum: .sha256(String(repeating: "0", count: 64))))
        }
        #expect(wrong?.request?.url.path == "/y" && wrong?.trace.attempts.map(\.outcome) == [.status(.found), .status(.ok)])
        let report = try #require(reports.withLock { $0.first })
        #expect(report.attempts == 2 && report.status == .ok && report.failure == "Integrity failed")
        await server.stop()
    }

    @Test(
        "A missing folder, an unwritable folder and a folder in the file's place are distinct errors before anything is sent")
    func places() async throws {
        let server = try await MockServer.start(), folder = try Folder(), client = client(server)
        try FileManager.default.createDirectory(at: folder.file("dir"), withIntermediateDirectories: false)
        try Data("x".utf8).write(to: folder.file("plain"))
        let cases: [(URL, FileFailure.Kind)] = [
            (folder.file("none/song"), .folderMissing), (folder.file("plain/song"), .folderMissing), (folder.file("dir"), .invalidName),
            (folder.file(String(repeating: "n", count: 300)), .invalidName), (URL(string: "https://host/file")!, .invalidName),
            (URL(fileURLWithPath: "/proc/song"), .folderMissing),
        ]
        for (target, expected) in cases {
            let failure = await error { () async throws(HTTPError) in try await client.download(.get("x"), to: target) }
            #expect(kind(failure) == expected, "\(target.path): \(String(describing: failure))")
        }
        #expect(server.requests.isEmpty)
        await server.stop()
    }

    @Test("An existing file is replaced, refused, or kept beside the new one")
    func existing() async throws {
        let server = try await MockServer.start { _ in .data(Self.text, contentType: "a/b") }
        let folder = try Folder(), client = client(server), target = folder.file("song.ogg")
        try Data("old".utf8).write(to: target)
        let refused = await error { () async throws(HTTPError) in
            try await client.download(.get("x"), to: target, options: .init(existingFile: .fail))
        }
        #expect(kind(refused) == .alreadyExists && server.requests.isEmpty && folder.names == ["song.ogg"])
        for number in 2...3 {
            let file = try await client.download(.get("x"), to: target, options: .init(existingFile: .keepBoth))
            #expect(file.url.lastPathComponent == "song \(number).ogg")
        }
        #expect(try Data(contentsOf: target) == Data("old".utf8))
        _ = try await client.download(.get("x"), to: target)
        #expect(try Data(contentsOf: target) == Self.text && folder.names == ["song 2.ogg", "song 3.ogg", "song.ogg"])
        await server.stop()
    }

    @Test(
        "The server's file name stays within the folder (RFC 6266 §4.3)",
        arguments: [
            ("attachment; filename=\"report.pdf\"", "report.pdf"), ("attachment; filename=\"../../etc/passwd\"", "passwd"),
            ("attachment; filename*=UTF-8''na%C3%AFve%20plan.txt; filename=\"x\"", "naïve plan.txt"),
            ("attachment; filename=\"..\"", "x"), ("inline", "x"), ("attachment; filename=\"/\"", "x"),
        ])
    func named(field: String, name: String) async throws {
        let server = try await MockServer.start(), folder = try Folder()
        server.enqueue(.data(Self.text, contentType: "a/b", headers: [.contentDisposition: field]))
        let file = try await client(server).download(.get("dir/x"), into: folder.url)
        #expect(file.url.lastPathComponent == name && folder.names == [name])
        await server.stop()
    }

    @Test("A name that the server chooses replaces no file, unless the options say so")
    func chosenName() async throws {
        let server = try await MockServer.start { _ in
            .data(Self.text, contentType: "a/b", headers: [.contentDisposition: "attachment; filename=Makefile"])
        }
        let folder = try Folder()
        try Data("mine".utf8).write(to: folder.file("Makefile"))
        let file = try await client(server).download(.get("x"), into: folder.url)
        #expect(file.url.lastPathComponent == "Makefile 2" && folder.names == ["Makefile", "Makefile 2"])
        #expect(try Data(contentsOf: folder.file("Makefile")) == Data("mine".utf8))
        _ = try await client(server).download(.get("x"), into: folder.url, options: .init(existingFile: .replace))
        #expect(try Data(contentsOf: folder.file("Makefile")) == Self.text)
        await server.stop()
    }

    @Test("A file flushed to the disk exists, and a slow server's file can be downloaded into a folder as a sequence")
    func synced() async throws {
        let server = try await MockServer.start { _ in
            .data(Self.text, contentType: "a/b", headers: [.contentDisposition: "attachment; filename=\"a b\""])
        }
        let folder = try Folder()
        _ = try await client(server).download(.get("x"), to: folder.file("song"), options: .init(syncsToDisk: true))
        for try await update in client(server).downloadUpdates(Request<Data>.get("x"), into: folder.url) {
            if case .finished(let file) = update { #expect(file.url.lastPathComponent == "a b") }
        }
        #expect(folder.names == ["a b", "song"])
        await server.stop()
    }

    @Test("A body of the wrong length is requested again only as often as failures are allowed")
    func unlikeItsLength() async throws {
        let folder = try Folder()
        for length in [3, 10] as [Int64] {
            let transport = MockTransport { _ in .text("12345") }
            let client = HTTPClient(
                baseURL: URL(string: "https://a.example"), transport: transport, interceptors: [Relabelling(length: length)],
                time: ManualTime())
            let failure = await error { () async throws(HTTPError) in try await client.download(.get("x"), to: folder.file("song")) }
            #expect(failure.map { if case .invalidResponse = $0 { true } else { false } } == true && transport.requests.count == 5)
        }
    }

    struct Relabelling: Interceptor {
        let length: Int64
        func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
            let response = try await next(request)
            let bytes = try await response.body.collect()
            let rest = Locked<[Data]>([bytes])
            return response.map { _ in HTTPBody(length: length, next: { rest.withLock { $0.popLast() } }) }
        }
    }

    @Test("A file that other users can't read keeps its permissions when it is replaced")
    func permissions() async throws {
        let server = try await MockServer.start { _ in .data(Self.text, contentType: "a/b") }
        let folder = try Folder(), target = folder.file("song")
        try Data("old".utf8).write(to: target)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: target.path)
        _ = try await client(server).download(.get("x"), to: target)
        let mode = try FileManager.default.attributesOfItem(atPath: target.path)[.posixPermissions] as? Int
        #expect(try Data(contentsOf: target) == Self.text && mode == 0o600)
        await server.stop()
    }

    @Test("A part file with a second name is left to that name, and no bytes are written to it")
    func secondName() async throws {
        let server = try await MockServer.start { _ in .data(Self.text, contentType: "a/b") }
        let folder = try Folder(), other = folder.file("other")
        try Data("precious".utf8).write(to: other)
        try FileManager.default.linkItem(at: other, to: folder.file(".song.part"))
        _ = try await client(server).download(.get("x"), to: folder.file("song"))
        #expect(try Data(contentsOf: other) == Data("precious".utf8) && folder.names == ["other", "song"])
        await server.stop()
    }

    @Test("A stopped download can be restarted immediately")
    func stoppedAndBegun() async throws {
        let server = try await MockServer.start(), folder = try Folder(), target = folder.file("song")
        let client = HTTPClient(baseURL: server.url)
        for _ in 0..<5 {
            server.enqueue(.data(Self.text, contentType: "a/b").chunked(1).piecesDelayed(by: .seconds(3600)))
            for try await event in client.downloadUpdates(.get("x"), to: target) { if case .progress = event { break } }
        }
        server.enqueue(.data(Self.text, contentType: "a/b"))
        _ = try await client.download(.get("x"), to: target)
        #expect(try Data(contentsOf: target) == Self.text)
        await server.stop()
    }

    @Test("Of two simultaneous downloads to one file, the second fails as busy and does no harm")
    func busy() async throws {
        let server = try await MockServer.start(), folder = try Folder(), client = client(server), target = folder.file("song")
        server.enqueue(.data(Self.text, contentType: "a/b").chunked(3, 3).piecesDelayed(by: .seconds(3600)))
        let first = Task { try await client.download(.get("x"), to: target) }
        try await server.waitForRequests(1)
        let failure = await error { () async throws(HTTPError) in try await client.download(.get("x"), to: target) }
        #expect(kind(failure) == .busy)
        first.cancel()
        guard case .failure(let error) = await first.result else { throw Unexpected(nil) }
        #expect(error as? HTTPError == .cancelled && folder.names.isEmpty)
        try await server.waitForOpenConnections(atMost: 0)
        await server.stop()
    }

    @Test("A part file that is a link is not written to, and an invalid record is ignored")
    func planted() async throws {
        let server = try await MockServer.start { _ in .data(Self.text, contentType: "a/b", headers: [.eTag: "\"v\""]) }
        let folder = try Folder(), client = client(server), victim = folder.file("victim")
        try Data("precious".utf8).write(to: victim)
        try FileManager.default.createSymbolicLink(at: folder.file(".song.part"), withDestinationURL: victim)
        let failure = await error { () async throws(HTTPError) in try await client.download(.get("x"), to: folder.file("song")) }
        #expect(kind(failure) == .permissionDenied && server.requests.isEmpty)
        #expect(try Data(contentsOf: victim) == Data("precious".utf8))

        try Data("evil".utf8).write(to: folder.file(".other.part"))
        for record in [
            "{", "{\"version\":1,\"key\":\"k\",\"validator\":\"\\\"v\\\"\"}", "{\"version\":9}", String(repeating: "x", count: 70_000),
        ] {
            try Data(record.utf8).write(to: folder.file(".other.part-info"))
            let file = try await client.download(.get("x"), to: folder.file("other"))
            #expect(try Data(contentsOf: file.url) == Self.text && file.resumedBytes == 0)
            try Data("evil".utf8).write(to: folder.file(".other.part"))
        }
        await server.stop()
    }

    @Test("A file over the size limit is not fetched, with or without a declared length")
    func limit() async throws {
        let server = try await MockServer.start(), folder = try Folder(), client = client(server)
        server.enqueue(.data(Self.text, contentType: "a/b"), .data(Self.text, contentType: "a/b").chunked(2))
        for _ in 0..<2 {
            let failure = await error { () async throws(HTTPError) in
                try await client.download(.get("x"), to: folder.file("song"), options: .init(maxBytes: 5))
            }
            #expect(failure == .responseTooLarge(SizeLimitFailure(.body, limit: 5)) && folder.names.isEmpty)
        }
        await server.stop()
    }

    @Test("The sequence of a download ends with its file, and leaving the loop stops it and closes the connection")
    func sequence() async throws {
        let server = try await MockServer.start(), folder = try Folder(), client = client(server)
        server.enqueue(
            .data(Self.text, contentType: "a/b"), .data(Self.text, contentType: "a/b").chunked(1).piecesDelayed(by: .seconds(3600)))
        var files: [TransferredFile] = []
        for try await event in client.downloadUpdates(.get("x"), to: folder.file("song")) {
            if case .finished(let file) = event { files.append(file) }
        }
        #expect(files.map(\.bytes) == [6] && folder.names == ["song"])
        for try await event in client.downloadUpdates(.get("x"), to: folder.file("other")) {
            if case .progress = event { break }
        }
        try await server.waitForOpenConnections(atMost: 0)
        #expect(!folder.names.contains("other"))
        await server.stop()
    }

    @Test("A request with its own range is refused, and a POST is never sent twice")
    func requests() async throws {
        let server = try await MockServer.start(), folder = try Folder(), client = client(server)
        let ranged = Request<Data>.get("x", headers: [.range: "bytes=0-5"])
        #expect(
            await error { () async throws(HTTPError) in try await client.download(ranged, to: folder.file("song")) }
                == .invalidRequest("a download sets Range and If-Range itself; remove them from the request"))
        server.enqueue(
            .data(Self.text, contentType: "a/b", headers: [.eTag: "\"v\""]).disconnecting(afterBodyBytes: 3),
            .data(Self.text, contentType: "a/b"))
        let post = Request<Data>(method: .post, path: "export", decoding: .decodable)
        #expect(await error { () async throws(HTTPError) in try await client.download(post, to: folder.file("song")) } != nil)
        #expect(server.requests.count == 1 && folder.names.isEmpty)
        await server.stop()
    }
}
