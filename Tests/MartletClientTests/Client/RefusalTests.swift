import Foundation
import MartletTesting
import Testing

@testable import MartletClient

@Suite("Streamed responses with a refused status", .timeLimit(.minutes(5))) struct RefusalTests {
    /// Responds with 503 and a body that never arrives.
    private struct Stalling: Transport {
        func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
            HTTPResponse(
                status: 503,
                body: HTTPBody {
                    _ = try await Recorder<Int>().value(at: 0)
                    return nil
                })
        }
    }

    @Test("A refused status is thrown although its body does not arrive: the wait is five seconds, not the deadline")
    func stalled() async throws {
        let time = ManualTime()
        let client = HTTPClient(baseURL: URL(string: "https://h/"), transport: Stalling(), time: time)
        let call = Task { () -> HTTPError? in
            do throws(HTTPError) {
                _ = try await client.stream(Request<Data>.get("x"))
                return nil
            } catch { return error }
        }
        // One timer is the call's deadline, the other the wait for the body.
        try await time.waitForTimers(2)
        time.advance(by: .seconds(5))
        #expect(await call.value?.status == .serviceUnavailable)
    }
}
