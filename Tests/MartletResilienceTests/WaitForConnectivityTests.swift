import Foundation
import MartletTesting
import Testing

@testable import MartletResilience

// On Apple's platforms the waits also depend on the system's view of the network.
#if os(Linux)
@Suite("WaitForConnectivity", .timeLimit(.minutes(5)))
struct WaitForConnectivityTests {
    private let base = URL(string: "https://h/")!
    private let time = ManualTime()
    private let offline = MockReply.failure(.networkError(NetworkFailure(.offline)))

    private func client(_ transport: MockTransport, _ wait: WaitForConnectivity) -> HTTPClient {
        HTTPClient(baseURL: base, transport: transport, interceptors: [RetryInterceptor(.never), wait], time: time)
    }

    @Test("A request waits until the device is online, also one that is not idempotent, and the wait is recorded")
    func waits() async throws {
        let transport = MockTransport(offline, offline, .json("{}"))
        let response = try await client(transport, WaitForConnectivity()).response(for: Request<EmptyResponse>.post("x"))
        #expect(time.sleeps == [.seconds(2), .seconds(2)])
        #expect(response.trace.notes == ["waited 4.00 s for a network"])
    }

    @Test("The wait ends at its limit and before the deadline, with the error of the network", arguments: [5, 600])
    func limits(timeout: Int) async {
        let transport = MockTransport { [offline] _ in offline }
        let client = client(transport, WaitForConnectivity(atMost: .seconds(20), interval: .seconds(2)))
        let error = await client.result(of: Request<EmptyResponse>.get("x").timeout(.seconds(timeout))).failure
        #expect(error == .networkError(NetworkFailure(.offline)))
        #expect(time.sleeps.count == (timeout == 5 ? 2 : 9))
    }

    @Test("Other failures and bodies that can't be sent again are not held")
    func others() async {
        let transport = MockTransport(.disconnect, offline)
        let client = client(transport, WaitForConnectivity())
        #expect(await client.result(of: Request<EmptyResponse>.get("x")).failure == .networkError(NetworkFailure(.connectionLost)))
        let stream = Request<EmptyResponse>.post("x", body: .stream(AsyncStream<Data> { $0.finish() }))
        #expect(await client.result(of: stream).failure == .networkError(NetworkFailure(.offline)))
        #expect(time.sleeps.isEmpty)
    }
}
#endif
