import Foundation
import Martlet
import MartletTesting
import TestSupport
import Testing

@testable import MartletHAR

@Suite("Progress of transfers for the inspector's page", .timeLimit(.minutes(5)))
struct TransferProgressTests {
    /// Keeps the progress that the page would see after each event.
    private struct Log: CallObserver {
        let log = CallLog(limits: .init(calls: 50, bytes: 1_000_000, bodyBytes: 1_000))
        let seen = Recorder<JSONValue>()

        func observe(_ event: CallEvent, of call: CallInfo) {
            log.add(event, of: call)
            if let progress = log.call(call.id)?.progress { seen.append(.object(JSONObject(progress))) }
        }
    }

    private let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")

    private func client(_ log: Log, _ transport: MockTransport) -> HTTPClient {
        HTTPClient(baseURL: URL(string: "https://h/")!, transport: transport, observers: [log])
    }

    @Test("A resumed download has the offset and the length of the whole")
    func download() async throws {
        let log = Log()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let etag: HTTPFields = ["ETag": "\"1\"", "Content-Length": "6", "Accept-Ranges": "bytes"]
        let transport = MockTransport(
            .stream("abc", "def", headers: etag).disconnecting(afterBodyBytes: 3),
            .stream("def", status: 206, headers: ["ETag": "\"1\"", "Content-Range": "bytes 3-5/6", "Content-Length": "3"]))
        var options = DownloadOptions()
        options.backoff = .constant(.zero)
        _ = try await client(log, transport).download(Request<Data>.get("a"), to: folder.appending(path: "a"), options: options)
        #expect(log.seen.values.contains(["done": 3, "total": 6]))
        #expect(log.seen.values.last { $0["done"] == 6 } == ["done": 6, "total": 6])
        #expect(log.log.snapshot.calls[0].progress == nil)
    }

    @Test("An upload in parts has the offset that the server confirmed")
    func upload() async throws {
        let log = Log()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "a")
        try Data(repeating: 1, count: 5).write(to: file)
        let transport = MockTransport(
            .status(201, headers: ["Location": "/7", "Tus-Resumable": "1.0.0"]),
            .status(204, headers: ["Upload-Offset": "3", "Tus-Resumable": "1.0.0"]),
            .status(204, headers: ["Upload-Offset": "5", "Tus-Resumable": "1.0.0"]))
        _ = try await client(log, transport).uploadResumably(
            file, to: Request<EmptyResponse>.post("u"), options: ResumableUploadOptions(chunkBytes: 3))
        #expect(Set(log.seen.values.map { $0["done"]?.intValue }) == [0, 3, 5])
        #expect(log.seen.values.last == ["done": 5, "total": 5])
    }

    @Test("A stream has a progress only with a known length")
    func stream() async throws {
        let log = Log()
        let transport = MockTransport(.stream("ab", "cd", headers: ["Content-Length": "4"]), .stream("ab"))
        for try await _ in try await client(log, transport).stream(Request<Data>.get("a")).body {}
        #expect(log.seen.values.contains(["done": 2, "total": 4]))
        let count = log.seen.values.count
        for try await _ in try await client(log, transport).stream(Request<Data>.get("b")).body {}
        #expect(log.seen.values.count == count)
    }
}
