import Foundation
import MartletTesting
import Testing

@testable import MartletCore

@Suite struct UploadDeadlineTests {
    /// Takes a body piece by piece, with some time between them, and then answers or falls silent.
    struct SlowTransport: Transport {
        let time: ManualTime
        let pieces: Duration
        var answers = true
        /// How many timers watch, which are set by other tasks than this one.
        var timers = 1

        func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
            do { try await time.waitForTimers(timers) } catch { throw .cancelled }
            var iterator = request.body?.makeAsyncIterator()
            while try await iterator?.next() != nil { time.advance(by: pieces) }
            guard !answers else { return HTTPResponse(status: .ok, body: HTTPBody("{}")) }
            time.advance(by: .seconds(31))
            // Nothing comes until the task is cancelled.
            let never = AsyncStream<Void> { _ in }
            for await _ in never {}
            throw .cancelled
        }
    }

    private func client(_ transport: SlowTransport) -> HTTPClient {
        HTTPClient(
            baseURL: URL(string: "https://a.example"), transport: transport,
            configuration: .init(totalTimeout: .seconds(60), idleTimeout: .seconds(30)), time: transport.time)
    }

    private let body = RequestBody.data(Data(count: 65_536 * 6))

    @Test("An upload may take longer than the total timeout as long as it moves")
    func moves() async throws {
        let transport = SlowTransport(time: ManualTime(), pieces: .seconds(20)), start = transport.time.instant
        _ = try await client(transport).upload(Request<Data>.post("x", body: body)) { _ in }
        #expect(transport.time.instant - start == .seconds(120))
    }

    @Test("An upload of which nothing is taken, and that is not answered, ends at the idle timeout")
    func silent() async throws {
        let transport = SlowTransport(time: ManualTime(), pieces: .seconds(1), answers: false)
        let error = await #expect(throws: HTTPError.self) {
            try await client(transport).upload(Request<Data>.post("x", body: body)) { _ in }
        }
        #expect(error == .timeout && error?.context.detail.contains("idle timeout of 30.0 seconds") == true)
    }

    @Test("A timeout of an upload's own counts for all of it")
    func ownTimeout() async throws {
        var request = Request<Data>.post("x", body: body)
        request.timeout = .seconds(60)
        let asked = request, transport = SlowTransport(time: ManualTime(), pieces: .seconds(20), timers: 2)
        await #expect(throws: HTTPError.timeout) { try await client(transport).upload(asked) { _ in } }
    }
}
