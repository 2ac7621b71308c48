import Foundation
import MartletTesting
import Testing

@testable import MartletCore

@Suite struct UploadDeadlineTests {
    private func client(_ transport: MockTransport, _ time: ManualTime) -> HTTPClient {
        HTTPClient(
            baseURL: URL(string: "https://a.example"), transport: transport,
            configuration: .init(totalTimeout: .seconds(60), idleTimeout: .seconds(30)), time: time)
    }

    /// Takes a body piece by piece, with some time between them, and then answers or falls silent.
    private func transport(_ time: ManualTime, pieces: Duration, answers: Bool) -> MockTransport {
        MockTransport(time: time) { request in
            if let body = request.body {
                for try await _ in body { time.advance(by: pieces) }
            }
            guard !answers else { return .json("{}") }
            time.advance(by: .seconds(31))
            return .silence
        }
    }

    @Test("An upload may take longer than the total timeout as long as it moves")
    func moves() async throws {
        let time = ManualTime(), transport = transport(time, pieces: .seconds(20), answers: true)
        let body = RequestBody.data(Data(count: 65_536 * 6))
        _ = try await client(transport, time).upload(Request<Data>.post("x", body: body)) { _ in }
    }

    @Test(
        "An upload of which nothing is taken, and that is not answered, ends at the idle timeout; a timeout of its own counts for all of it"
    )
    func silent() async throws {
        let time = ManualTime(), body = RequestBody.data(Data(count: 65_536 * 6))
        let stuck = transport(time, pieces: .seconds(1), answers: false)
        let error = await #expect(throws: HTTPError.self) {
            try await client(stuck, time).upload(Request<Data>.post("x", body: body)) { _ in }
        }
        #expect(error == .timeout && error?.context.detail.contains("idle timeout of 30.0 seconds") == true)
        let slow = ManualTime()
        var request = Request<Data>.post("x", body: body)
        request.timeout = .seconds(60)
        let asked = request
        await #expect(throws: HTTPError.timeout) {
            try await client(transport(slow, pieces: .seconds(20), answers: true), slow).upload(asked) { _ in }
        }
    }
}
