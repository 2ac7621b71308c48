import Dispatch
import Foundation
import MartletSystem
import MartletTesting
import Testing

@testable import MartletClient

@Suite("Call", .timeLimit(.minutes(5)))
struct CallTests {
    private let time = ManualTime(autoAdvances: false)

    private func client(_ transport: MockTransport) -> HTTPClient {
        HTTPClient(
            baseURL: URL(string: "https://h/"), transport: transport,
            configuration: .init(totalTimeout: .seconds(5), attemptTimeout: nil, idleTimeout: nil), time: time)
    }

    private func upload(waitingFor gate: DispatchSemaphore) -> Request<Data> {
        .post(
            "a",
            body: .examined(contentType: "a/b") { () throws(HTTPError) in
                gate.wait()
                return .empty
            })
    }

    @Test("A call ends at its deadline while the file of its body can't be examined, and nothing is sent")
    func hangingFile() async throws {
        let gate = DispatchSemaphore(value: 0), transport = MockTransport()
        defer { gate.signal() }
        let client = client(transport), request = upload(waitingFor: gate)
        async let result = client.result(of: request)
        try await time.waitForTimers()
        #expect(client.calls?.runningCount == 1)
        time.advance(by: .seconds(5))
        let ended = await result
        #expect(ended == .failure(.timeout))
        #expect(transport.requests.isEmpty && client.calls?.runningCount == 0)
    }

    @Test("cancelAll ends a call whose file can't be examined")
    func cancelledFile() async throws {
        let gate = DispatchSemaphore(value: 0), client = client(MockTransport())
        defer { gate.signal() }
        let request = upload(waitingFor: gate)
        async let result = client.result(of: request)
        try await time.waitForTimers()
        client.cancelAll()
        let ended = await result
        #expect(ended == .failure(.cancelled))
    }

    @Test("cancelAll ends a download whose request has a file that can't be examined")
    func download() async throws {
        let gate = DispatchSemaphore(value: 0), client = client(MockTransport())
        defer { gate.signal() }
        let request = upload(waitingFor: gate)
        let place = FileManager.default.temporaryDirectory.appendingPathComponent("martlet-\(UUID())")
        let download = Task {
            do throws(HTTPError) { return Result<TransferredFile, HTTPError>.success(try await client.download(request, to: place)) } catch
            {
                return .failure(error)
            }
        }
        try await time.waitForTimers()
        client.cancelAll()
        guard case .failure(.cancelled) = await download.value else { Issue.record("the download was not cancelled"); return }
    }

    @Test("A context copied from another call's request contains nothing of that call")
    func copiedContext() async throws {
        let transport = MockTransport(.silence), client = client(transport)
        let ended = try #require(CallGroup().begin())
        ended.end()
        var request = Request<Data>.get("a")
        request.options.context.call = ended
        let pulse = Pulse(time: time), begun = time.instant
        request.options.context.callPulse = pulse
        let copied = request
        async let result = client.result(of: copied)
        try await transport.waitForRequests()
        #expect(transport.requests[0].context.call == nil && transport.requests[0].context.callPulse == nil)
        try await time.waitForTimers()
        time.advance(by: .seconds(5))
        let error = await result
        #expect(error == .failure(.timeout) && pulse.instant == begun)
    }

    /// Notes how many calls run while it sees the end of one.
    private final class RunningAtEnd: CallObserver {
        let counts = Locked<[Int?]>([])
        let group = Locked<CallGroup?>(nil)

        func observe(_ event: CallEvent, of call: CallInfo) {
            guard case .ended = event else { return }
            let running = group.withLock { $0 }?.runningCount
            counts.withLock { $0.append(running) }
        }
    }

    @Test("Observers see the end of a call before it has ended for a drain, with a value, an error or a stream")
    func observedEnd() async throws {
        let observer = RunningAtEnd()
        let client = HTTPClient(
            baseURL: URL(string: "https://h/"), transport: MockTransport(.text("a"), .status(500), .stream("a", "b")), observers: [observer]
        )
        observer.group.withLock { $0 = client.calls }
        _ = try await client.send(Request<Data>.get("a"))
        _ = await client.result(of: Request<Data>.get("a"))
        _ = try await client.stream(Request<Data>.get("a")).body.collect()
        #expect(observer.counts.withLock { $0 } == [1, 1, 1])
        #expect(client.calls?.runningCount == 0)
    }

    @Test("The error of a call with a file that reaches its deadline has the request with its body")
    func deadlineAfterFile() async throws {
        let transport = MockTransport { [time] _ in
            try await time.sleep(for: .seconds(100))
            return .text("late")
        }
        let client = client(transport)
        let body = RequestBody.examined(contentType: "a/b") { () throws(HTTPError) in HTTPBody(Data("abc".utf8)) }
        async let result = client.result(of: Request<Data>.post("a", body: body))
        try await time.waitForTimers(2)
        time.advance(by: .seconds(5))
        guard case .failure(let error) = await result else { Issue.record("answered"); return }
        #expect(error == .timeout && error.request?.body?.length == 3)
    }
}
