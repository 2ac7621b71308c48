import Foundation
import MartletClient
import MartletSystem
import MartletTesting
import TestSupport
import Testing

@testable import MartletHTTP

@Suite("CallObserver", .timeLimit(.minutes(5)))
struct CallObserverTests {
    private let log = EventLog()
    private let base = URL(string: "https://h/")!
    private let get = Request<[Int]>.get("x")

    private func client(_ replies: MockReply..., interceptors: [any Interceptor] = []) -> HTTPClient {
        HTTPClient(baseURL: base, transport: MockTransport(replies: replies), interceptors: interceptors, observers: [log])
    }

    private static let whole = ["1 started GET /x", "1 attempt 1", "1 head 1: 200", "1 body 1: 3", "1 step attempt 1", "1 ended: 200"]

    @Test("A call starts once, then has its attempt, the head, the body, and ends once after its value was decoded")
    func order() async throws {
        _ = try await client(.json("[1]")).send(get)
        #expect(log.lines == Self.whole)
        let info = try #require(log.calls.first)
        #expect(info.kind == .request && info.pathTemplate == "x" && info.name == get.endpointName && info.operations.isEmpty)
    }

    @Test("Each way of sending is seen in the same way")
    func ways() async throws {
        let client = client(.json("[1]"), .json("[1]"))
        _ = try await client.response(for: get)
        _ = await client.result(of: get)
        #expect(log.lines == Self.whole + Self.whole.map { "2" + $0.dropFirst() })
    }

    @Test("Errors of validation and decoding, which interceptors can't see, are outcomes")
    func failures() async {
        let client = client(.status(404), .json("{}"), .disconnect)
        for _ in 0..<3 { _ = await client.result(of: get) }
        #expect(log.lines.filter { $0.contains("ended") }.map { $0.split(separator: " ").last } == ["404", "decoding", "network"])
        #expect(log.ends.count == 6 && log.lines.last?.hasPrefix("3 failed and ended") == true)
    }

    @Test("A call without a request starts with none")
    func invalid() async {
        let client = HTTPClient(transport: MockTransport(), observers: [log])
        _ = await client.result(of: get)
        #expect(log.lines == ["1 started nil", "1 failed and ended: URL"])
    }

    @Test("A request that is refused before it is sent is the first request of its call")
    func refused() async {
        let client = client()
        _ = await client.result(of: get.header("Upgrade", "x"))
        _ = await client.result(of: Request<[Int]>.get(url: URL(string: "ftp://h/y")!))
        #expect(
            log.lines == [
                "1 started GET /x", "1 failed and ended: request", "2 started GET /y", "2 failed and ended: URL",
            ])
    }

    @Test("Tags, the template of the path and the name of the endpoint are known")
    func info() async throws {
        let request = Request<[Int]>.get("users/\(7)").named("GetUser").tag("a")
        _ = try await client(.json("[1]")).send(request, options: CallOptions(tags: ["b"]))
        let info = try #require(log.calls.first)
        #expect(info.name == "GetUser" && info.pathTemplate == "users/{}" && info.tags == ["a", "b"])
    }

    @Test("A cancelled call ends as cancelled, and one at its deadline with a timeout")
    func interrupted() async throws {
        let time = ManualTime(), transport = MockTransport(.silence, .silence)
        let client = HTTPClient(
            baseURL: base, transport: transport, observers: [log], configuration: .init(totalTimeout: .seconds(5)), time: time)
        let first = Task { await client.result(of: get) }
        try await transport.waitForRequests(1)
        first.cancel()
        _ = await first.value
        let second = Task { await client.result(of: get) }
        try await transport.waitForRequests(2)
        time.advance(by: .seconds(5))
        _ = await second.value
        #expect(
            log.ends == ["1 started GET /x", "1 failed and ended: cancelled", "2 started GET /x", "2 failed and ended: timeout"])
    }

    @Test("A stream ends with its body: read completely, dropped or broken")
    func streams() async throws {
        let client = client(.stream("ab", "c"), .stream("ab", "c"), .text("abcdef").disconnecting(afterBodyBytes: 2), .status(500))
        let whole = try await client.stream(Request<Data>.get("x"))
        #expect(!log.lines.contains { $0.contains("ended") })
        _ = try await whole.body.collect(upTo: 10)
        #expect(log.lines.suffix(3) == ["1 body 1: 2", "1 body 1: 1", "1 ended: 200"])
        do { _ = try await client.stream(Request<Data>.get("x")) }
        await log.wait(for: "2 failed and ended: cancelled")
        do { _ = try await client.stream(Request<Data>.get("x")).body.collect(upTo: 10) } catch {}
        await log.wait(for: "3 failed and ended: network")
        _ = try? await client.stream(Request<Data>.get("x"))
        #expect(log.lines.last == "4 failed and ended: status 500")
        #expect(log.ends.count == 8)
    }

    @Test("Several observers see the same events, and those of two clients only their own")
    func several() async throws {
        let other = EventLog(), third = EventLog()
        let transport = MockTransport { _ in .json("[1]") }
        let first = HTTPClient(baseURL: base, transport: transport, observers: [log, other])
        let second = HTTPClient(baseURL: base, transport: transport, observers: [third])
        _ = try await first.send(get)
        #expect(log.lines == Self.whole && other.lines == Self.whole && third.lines == [])
        _ = try await second.send(get)
        #expect(log.lines == Self.whole && third.lines == Self.whole)
        #expect(third.calls[0].id != log.calls[0].id)
    }

    @Test("Events after the end of a call are not reported, and a call starts and ends once")
    func late() {
        let call = ObservedCall(
            .request, name: "x", pathTemplate: "", operations: [], tags: [], observers: [log], time: ManualTime())
        let request = HTTPRequest(method: .get, url: base)
        let attempt = call.record.beginAttempt(request)
        call.started(nil)
        call.started(nil)
        call.ended(.success(nil))
        call.ended(.failure(.timeout))
        call.record.endAttempt(attempt, of: request, .cancelled)
        #expect(log.lines == ["1 attempt 1", "1 started nil", "1 ended: nil"])
        #expect(call.record.trace.attempts.map(\.outcome) == [.cancelled])
    }

    @Test("A call with the context of an earlier call's request is a call of its own")
    func copiedContext() async throws {
        let client = client(.json("[1]"), .json("[1]"))
        let first = try await client.response(for: get)
        var options = CallOptions()
        options.context = try #require(first.metadata.request).context
        let second = try await client.response(for: get, options: options)
        #expect(log.lines == Self.whole + Self.whole.map { "2" + $0.dropFirst() })
        #expect(second.trace.attempts.map(\.number) == [1])
    }

    /// Sends a second call when it sees the start of the first one.
    private final class Calling: CallObserver {
        let client = Recorder<HTTPClient>()

        func observe(_ event: CallEvent, of call: CallInfo) {
            guard case .started = event, call.name != "Second", let client = client.values.first else { return }
            Task { await client.result(of: Request<[Int]>.get("y").named("Second")) }
        }
    }

    @Test("An observer can make calls through the client that it observes")
    func reentrant() async throws {
        let calling = Calling()
        let client = HTTPClient(baseURL: base, transport: MockTransport { _ in .json("[1]") }, observers: [calling, log])
        calling.client.append(client)
        _ = try await client.send(get)
        while log.ends.count < 4 { await Task.yield() }
        #expect(log.ends.filter { $0.hasSuffix("ended: 200") }.count == 2)
    }

    /// Ends the call while it gets an event, as a parallel attempt can.
    private final class Ending: CallObserver {
        let call = Locked<ObservedCall?>(nil)

        func observe(_ event: CallEvent, of info: CallInfo) {
            if case .attemptStarted = event { call.withLock { $0 }?.ended(.success(nil)) }
        }
    }

    @Test("A call that ends while its observers get an event ends for each of them after that event")
    func parallelEnd() {
        let ending = Ending()
        let call = ObservedCall(
            .request, name: "x", pathTemplate: "", operations: [], tags: [], observers: [ending, log], time: ManualTime())
        ending.call.withLock { $0 = call }
        call.started(nil)
        _ = call.record.beginAttempt(HTTPRequest(method: .get, url: base))
        call.record.note("late")
        #expect(log.lines == ["1 started nil", "1 attempt 1", "1 ended: nil"])
    }

    @Test("A redirect has a step between the attempts, in the trace and for observers")
    func redirect() async throws {
        let client = client(.status(302, headers: [.location: "https://other/y"]), .json("[1]"))
        let response = try await client.response(for: get.header("Authorization", "s3cret"))
        let redirect = try #require(response.trace.redirects.first)
        #expect(redirect.removedFields == ["Authorization"] && redirect.target.absoluteString == "https://other/y")
        #expect(
            log.lines == [
                "1 started GET /x", "1 attempt 1", "1 head 1: 302", "1 step attempt 1", "1 step redirect", "1 attempt 2", "1 head 2: 200",
                "1 body 2: 3", "1 step attempt 2", "1 ended: 200",
            ])
    }
}
