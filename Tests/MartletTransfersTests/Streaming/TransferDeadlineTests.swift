import Foundation
import MartletSystem
import TestSupport
import Testing

@testable import MartletTesting
@testable import MartletTransfers

@Suite("Transfers, event streams and pages under the deadline of a task", .timeLimit(.minutes(5)))
struct TransferDeadlineTests {
    private let bench = EventBench()

    /// The transport of the platform measures deadlines with the system's clock, which must not reach that of the manual time.
    init() { bench.time.advance(by: .seconds(3_600)) }

    private var time: ManualTime { bench.time }

    private func failure(_ body: () async throws -> Void) async -> HTTPError? {
        do { try await body() } catch { return error as? HTTPError }
        return nil
    }

    // MARK: Downloads

    @Test("A download is not resumed after a wait that would reach the deadline, and throws the error of its last attempt")
    func download() async throws {
        let server = try await RangeServer.start(DownloadTests.song) { $0.cuts = [20_000, 20_000] }
        let folder = try Folder(), client = bench.client(PlatformTransport(), timeout: nil), url = server.server.url
        let options = DownloadOptions(backoff: .constant(.seconds(5)))
        let error = await withDeadline(.seconds(5), time: time) {
            await failure { _ = try await client.download(Request<Data>.get(url: url), to: folder.file("song"), options: options) }
        }
        guard case .networkError? = error else { throw Unexpected() }
        #expect(time.sleeps == [] && server.ranges == ["none"])
        let file = try await withDeadline(.seconds(6), time: time) {
            try await client.download(Request<Data>.get(url: url), to: folder.file("song"), options: options)
        }
        #expect(try Data(contentsOf: file.url) == DownloadTests.song && time.sleeps == [.seconds(5)])
        await server.server.stop()
    }

    @Test("The deadline bounds a download up to the head of its response")
    func head() async throws {
        let body = SentBody(), folder = try Folder(), transport = MockTransport(.stream { HTTPBody(reader: body) }, .silence)
        let client = bench.client(transport, timeout: nil)
        let first = Task {
            try await withDeadline(.seconds(2), time: time) { try await client.download(.get("a"), to: folder.file("a")) }
        }
        body.send("one ")
        await body.waitUntilRead()
        time.advance(by: .seconds(9))
        body.send("two")
        body.send(nil)
        #expect(try await first.value.bytes == 7)
        let second = Task {
            await withDeadline(.seconds(2), time: time) {
                await failure { _ = try await client.download(.get("b"), to: folder.file("b")) }
            }
        }
        try await transport.waitForRequests(2)
        try await time.waitForTimers(1)
        time.advance(by: .seconds(2))
        #expect(await second.value == .timeout)
    }

    @Test("A download whose file is in use does not begin a wait that would reach the deadline")
    func busy() async throws {
        let body = SentBody(), folder = try Folder(), client = bench.client(MockTransport { _ in .stream { HTTPBody(reader: body) } })
        let first = Task { try await client.download(.get("a"), to: folder.file("a")) }
        body.send("one")
        await body.waitUntilRead()
        let error = await withDeadline(.milliseconds(150), time: time) {
            await failure { _ = try await client.download(.get("a"), to: folder.file("a")) }
        }
        guard case .fileFailed(let failure)? = error else { throw Unexpected() }
        #expect(failure.kind == .busy && time.sleeps == [.milliseconds(100)])
        body.send(nil)
        _ = try await first.value
    }

    @Test("The total timeout of a download is that of the client, also of one that wraps another")
    func totalTimeout() {
        let client = HTTPClient(transport: MockTransport(), configuration: .init(totalTimeout: .seconds(3)))
        let wrapper = Wrapper(client: client, configuration: client.configuration)
        #expect(wrapper.totalTimeout(of: Request<Data>.get("x"), CallOptions()) == .seconds(3))
        #expect(wrapper.totalTimeout(of: Request<Data>.get("x"), CallOptions(timeout: .seconds(2))) == .seconds(2))
    }

    // MARK: Uploads

    @Test("A resumable upload is not resumed after a wait that would reach the deadline")
    func upload() async throws {
        let folder = try Folder(), tus = ResumableUploadTests.TusServer(), file = folder.file("movie")
        try Data(repeating: 7, count: 1_000).write(to: file)
        tus.state.withLock { $0.takes = [100] }
        let server = try await MockServer.start { tus.reply($0) }
        let client = HTTPClient(
            baseURL: server.url, transport: PlatformTransport(), configuration: .init(totalTimeout: nil, idleTimeout: nil), time: time)
        let options = ResumableUploadOptions(backoff: .constant(.seconds(5)))
        let error = await withDeadline(.seconds(5), time: time) {
            await failure { _ = try await client.uploadResumably(file, to: .post("files"), options: options) }
        }
        guard case .networkError? = error else { throw Unexpected() }
        #expect(time.sleeps == [] && server.requests.map(\.method) == [.post, .patch])
        await server.stop()
    }

    // MARK: Events

    @Test("An event stream does not reconnect after a wait that would reach the deadline")
    func reconnection() async throws {
        let transport = MockTransport(
            .events("data: a\n\n"), .events("data: b\n\n"), .events("data: c\n\ndata").disconnecting(afterBodyBytes: 10))
        let events = bench.client(transport).events(.get("feed"), options: bench.options())
        var seen: [String] = []
        let ended = await withDeadline(.seconds(4), time: time) {
            await failure { for try await event in events { seen.append(event.data) } }
        }
        #expect(seen == ["a", "b"] && time.sleeps == [.seconds(3)])
        #expect(ended == .timeout && ended?.context.detail.contains("the deadline of the task leaves no time") == true)
        let broken = await withDeadline(.seconds(3), time: time) { await failure { for try await _ in events {} } }
        #expect(broken == .networkError(NetworkFailure(.connectionLost)) && time.sleeps.count == 1)
    }

    @Test("An open event stream continues after the deadline, and no new one opens")
    func openStream() async throws {
        let body = SentBody()
        let transport = MockTransport(.stream(headers: [.contentType: "text/event-stream"]) { HTTPBody(reader: body) })
        let events = bench.client(transport).events(.get("feed"), options: bench.options { $0.reconnection = .never })
        let reading = Task { try await withDeadline(.seconds(2), time: time) { try await events.all().map(\.data) } }
        body.send("data: a\n\n")
        await body.waitUntilRead()
        time.advance(by: .seconds(9))
        body.send("data: b\n\n")
        body.send(nil)
        #expect(try await reading.value == ["a", "b"])
        let late = await withDeadline(.zero, time: time) { await failure { _ = try await events.all() } }
        #expect(late == .timeout && transport.requests.count == 1)
    }

    // MARK: Pages

    @Test("The pages of a sequence share the deadline, and none is requested after it", arguments: [0, 2])
    func pages(ahead: Int) async throws {
        let transport = MockTransport { .json(#"["\#($0.item("page") ?? "")"]"#) }
        let client = bench.client(transport), deadline = time.instant + .milliseconds(2_500)
        var seen: [String] = []
        let error = await withDeadline(at: deadline) {
            await failure {
                for try await item in client.items(.repos, next: .pageNumber(query: "page"), options: .init(prefetch: ahead)) {
                    seen.append(item)
                    time.advance(by: .seconds(1))
                }
            }
        }
        #expect(error == .timeout && seen.count >= 3 && seen.count <= 3 + ahead)
        #expect(transport.requests.allSatisfy { $0.context.deadline == deadline })
    }

    private struct Unexpected: Error {}
}
