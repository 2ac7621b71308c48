import Foundation
import Testing

@testable import MartletHTTP

/// A temporary folder of a test, removed when the test ends.
private func withTemporaryFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("martlet-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
}

@Suite("File bodies", .timeLimit(.minutes(5)))
struct FileBodyTests {
    @Test("A file is read completely, in chunks, and repeatedly")
    func reading() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("ünï cödé %20.bin")
            let content = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            try content.write(to: file)
            let body = try HTTPBody(file: file)
            #expect(body.length == 200_000)
            #expect(body.isReplayable)
            #expect(body.buffered == nil)
            var sizes: [Int] = []
            for try await chunk in body { sizes.append(chunk.count) }
            #expect(sizes == [65_536, 65_536, 65_536, 3_392])
            #expect(try await body.collect() == content)
            #expect(try await body.collect() == content)
            #expect(try await body.peek(upTo: 5) == content.prefix(5))
            #expect(try await body.peek(upTo: 1_000_000_000_000) == content)
        }
    }

    @Test("An empty file is an empty body")
    func empty() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("empty")
            try Data().write(to: file)
            let body = try HTTPBody(file: file)
            #expect(body.length == 0)
            #expect(try await body.collect() == Data())
            #expect(try await body.peek(upTo: 10) == Data())
        }
    }

    @Test("A missing file is refused immediately, and the error names its path")
    func missing() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("missing")
            let error = try #require(throws: HTTPError.self) { try HTTPBody(file: file) }
            guard case .invalidRequest(let what) = error else { throw error }
            #expect(what.text.contains(file.path))
            #expect(what.text.contains("can't be opened"))
        }
    }

    @Test("A folder or a pipe is refused without waiting for a writer")
    func notRegular() async throws {
        try await withTemporaryFolder { folder in
            let pipe = folder.appendingPathComponent("pipe")
            #expect(mkfifo(pipe.path, 0o600) == 0)
            for file in [folder, pipe, URL(fileURLWithPath: "/dev/null")] {
                let error = try #require(throws: HTTPError.self) { try HTTPBody(file: file) }
                guard case .invalidRequest(let what) = error else { throw error }
                #expect(what.text.contains("not a regular file"))
            }
        }
    }

    @Test("A URL that is not a file URL is refused, with its secrets masked")
    func notAFile() throws {
        let url = try #require(URL(string: "https://user:hunter2@h/?token=abc"))
        let error = try #require(throws: HTTPError.self) { try HTTPBody(file: url) }
        #expect(!"\(error)".contains("hunter2"))
        #expect(!"\(error)".contains("abc"))
        #expect("\(error)".contains("not a file URL"))
    }

    @Test("A file that has become shorter throws an error")
    func truncated() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("f")
            try Data("hello".utf8).write(to: file)
            let body = try HTTPBody(file: file)
            try Data("hel".utf8).write(to: file)
            let error = try await #require(throws: HTTPError.self) { try await body.collect() }
            guard case .invalidRequest(let what) = error else { throw error }
            #expect(what.text.contains("became shorter"))
        }
    }

    @Test("Bytes added to the file later are not sent")
    func grown() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("f")
            try Data("hello".utf8).write(to: file)
            let body = try HTTPBody(file: file)
            try Data("hello world".utf8).write(to: file)
            #expect(try await body.collect() == Data("hello".utf8))
        }
    }

    @Test("A file that is missing when it is sent throws an error")
    func removed() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("f")
            try Data("hello".utf8).write(to: file)
            let body = try HTTPBody(file: file)
            try FileManager.default.removeItem(at: file)
            await #expect(throws: HTTPError.self) { try await body.collect() }
        }
    }

    @Test("An open file can be read again from its start")
    func rewinding() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("f")
            try Data("hello".utf8).write(to: file)
            guard case .file(let body) = try HTTPBody(file: file).storage else { return }
            let reader = try body.open()
            #expect(try reader.read(upTo: 3) == Data("hel".utf8))
            #expect(reader.rewind())
            #expect(try reader.read(upTo: 100) == Data("hello".utf8))
            #expect(try reader.read(upTo: 100) == nil)
        }
    }

    @Test("Cancelling a reader ends it even if the file system hangs")
    func hanging() async throws {
        try await withTemporaryFolder { folder in
            let pipe = folder.appendingPathComponent("pipe").path
            #expect(mkfifo(pipe, 0o600) == 0)
            let body = HTTPBody(FileBody(hangingAt: pipe, length: 5))
            let readers = (0..<20).map { _ in Task { await #expect(throws: HTTPError.cancelled) { try await body.collect() } } }
            for reader in readers { reader.cancel() }
            for reader in readers { _ = await reader.value }
            // Unblocks pending opens.
            close(open(pipe, O_RDWR))
        }
    }

    @Test("A cancelled read throws the error of the cancellation")
    func cancelled() async throws {
        try await withTemporaryFolder { folder in
            let pipe = folder.appendingPathComponent("pipe").path
            #expect(mkfifo(pipe, 0o600) == 0)
            let reader = FileBodyReader(FileBody(hangingAt: pipe, length: 5))
            let reading = Task { await #expect(throws: HTTPError.timeout) { try await reader.next() } }
            // Opening for writing succeeds only once the file is being opened for reading.
            var writer = open(pipe, O_WRONLY | O_NONBLOCK)
            while writer < 0 {
                await Task.yield()
                writer = open(pipe, O_WRONLY | O_NONBLOCK)
            }
            reader.cancel(.timeout)
            _ = await reading.value
            close(writer)
        }
    }

    @Test("A system call interrupted by a signal is repeated")
    func interrupted() {
        var calls = 0
        let result = FileReader.uninterrupted { () -> Int in
            calls += 1
            errno = calls < 4 ? EINTR : EIO
            return calls < 5 ? -1 : 7
        }
        #expect(result == -1)
        #expect(calls == 4)
    }

    @Test("A file over the limit is refused before it is read")
    func limit() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("f")
            try Data("hello".utf8).write(to: file)
            let body = try HTTPBody(file: file)
            await #expect(throws: HTTPError.responseTooLarge(SizeLimitFailure(limit: 4))) { try await body.collect(upTo: 4) }
            #expect(try await body.collect(upTo: 5) == Data("hello".utf8))
        }
    }
}
