import Foundation
import Martlet
import MartletSystem
import TestSupport
import Testing

@testable import MartletGraphQL
@testable import MartletTesting

@Suite("Subscriptions that reconnect", .timeLimit(.minutes(5)))
struct SubscriptionReconnectionTests {
    private let bench = SubscriptionBench()

    @Test("A stream that ends or breaks before it is complete is replaced after a wait")
    func again() async {
        let transport = MockTransport(
            .counting(1, completing: false), .disconnect, .counting(2, 3, completing: false).disconnecting(afterBodyBytes: 60),
            .counting(4))
        let outcome = await Outcome(bench.client(transport).subscribe(Counting(to: 9)))
        #expect(outcome.counts == [1, 2, 4] && outcome.error == nil && transport.requests.count == 4)
        #expect(bench.time.sleeps == [.seconds(3), .seconds(3), .seconds(3)])
        #expect(Set(transport.requests.map { $0.body?.buffered }).count == 1)
    }

    @Test("Signals report connections, results, heartbeats and waits")
    func signals() async throws {
        let transport = MockTransport(.events(": ping\n\nevent: next\ndata: {\"data\":{\"count\":1}}\n\n"), .disconnect, .counting())
        var told: [String] = []
        for try await signal in bench.client(transport).subscribe(Counting()).signals {
            switch signal {
            case .connecting(let number): told.append("connecting \(number)")
            case .open(let head): told.append("open \(head?.status.rawValue ?? 0)")
            case .result(let result): told.append("result \(result.data?.count ?? 0)")
            case .heartbeat: told.append("heartbeat")
            case .reconnecting(let wait, .http(.invalidResponse)): told.append("ended, \(wait)")
            case .reconnecting(let wait, .http(.networkError)): told.append("failed, \(wait)")
            default: told.append("\(signal)")
            }
        }
        #expect(
            told == [
                "connecting 1", "open 200", "heartbeat", "result 1", "ended, 3.0 seconds", "connecting 2", "failed, 3.0 seconds",
                "connecting 3",
                "open 200",
            ])
    }

    @Test("Event IDs and retry times from the server apply to the next connection")
    func resuming() async {
        let transport = MockTransport(
            .events("retry: 500\nid: a\nevent: next\ndata: {\"data\":{\"count\":1}}\n\n"), .events("id: b\n\n"), .events("id\n\n"),
            .counting(2))
        let options = bench.options { $0.lastEventID = "first" }
        let outcome = await Outcome(bench.client(transport, options: options).subscribe(Counting()))
        #expect(outcome.counts == [1, 2])
        #expect(transport.requests.map { $0.headers["Last-Event-ID"] } == ["first", "a", "b", nil])
        #expect(bench.time.sleeps.first == .milliseconds(500))
    }

    @Test("After the maximum number of failed connections, the last error is thrown")
    func giveUp() async {
        let transport = MockTransport { _ in .disconnect }
        let outcome = await Outcome(bench.client(transport).subscribe(Counting()))
        guard case .http(.networkError) = outcome.error else { Issue.record("\(outcome)"); return }
        #expect(transport.requests.count == 10 && bench.time.sleeps.count == 9 && bench.time.sleeps.last == .seconds(30))
        let empty = MockTransport { _ in .events("") }
        let ended = await Outcome(bench.client(empty).subscribe(Counting()))
        guard case .http(.invalidResponse(let words)) = ended.error else { Issue.record("\(ended)"); return }
        #expect(words.text.contains("ended before") && empty.requests.count == 10)
    }

    @Test("A server that requests no wait still gets the minimum wait")
    func storm() async {
        let number = Locked(0)
        let transport = MockTransport { _ in
            let connection = number.withLock { number in
                number += 1
                return number
            }
            return connection < 50 ? .events("retry: 0\nevent: next\ndata: {\"data\":{\"count\":1}}\n\n") : .counting()
        }
        let outcome = await Outcome(bench.client(transport).subscribe(Counting()))
        #expect(outcome.counts.count == 49 && bench.time.sleeps.allSatisfy { $0 >= .milliseconds(100) } && bench.time.sleeps.count == 49)
    }

    @Test("Error statuses are thrown, except the configured ones, which are retried after their Retry-After")
    func statuses() async {
        let refused = MockTransport(.status(503))
        let outcome = await Outcome(bench.client(refused).subscribe(Counting()))
        #expect(outcome.error?.httpError?.status == 503 && refused.requests.count == 1)
        let options = bench.options { $0.reconnection.statuses = [503] }
        let errors = #"{"errors":[{"message":"busy"}]}"#
        let busy = MockTransport(
            .status(503, headers: ["Retry-After": "40"]),
            .json(errors, status: 503, headers: [.contentType: "application/graphql-response+json", "Retry-After": "50"]), .counting(1))
        #expect(await Outcome(bench.client(busy, options: options).subscribe(Counting())).counts == [1])
        #expect(bench.time.sleeps == [.seconds(40), .seconds(50)])
        let wrong = await bench.results(.json(errors, status: 400), options: options)
        #expect(wrong.error == .response([GraphQLResponseError(message: "busy")]))
    }

    @Test("Without reconnection, an early end and a broken connection are thrown")
    func never() async {
        let options = bench.options { $0.reconnection = .never }
        let ended = await bench.results(.counting(1, completing: false), options: options)
        guard case .http(.invalidResponse) = ended.error else { Issue.record("\(ended)"); return }
        #expect(ended.counts == [1])
        let broken = await bench.results(.disconnect, options: options)
        guard case .http(.networkError) = broken.error else { Issue.record("\(broken)"); return }
        #expect(await bench.results(.counting(1), options: options).error == nil && bench.time.sleeps == [])
    }

    @Test("A connection that is silent for too long is replaced, and heartbeats of any length keep it open")
    func silence() async throws {
        let body = SentBody()
        let transport = MockTransport(.events(body), .counting(2))
        let client = bench.client(transport)
        let task = Task { await Outcome(client.subscribe(Counting())) }
        for _ in 1...20 {
            await body.waitUntilRead()
            bench.time.advance(by: .seconds(299))
            body.send(": ping\n\n")
        }
        await body.waitUntilRead()
        bench.time.advance(by: .seconds(300))
        let outcome = await task.value
        #expect(outcome.counts == [2] && body.reason == .cancelled && transport.requests.count == 2)
    }

    @Test("A missing head counts as silence, and is thrown without reconnection")
    func noHead() async throws {
        let transport = MockTransport(.status(307, headers: [.location: "/moved"]), .silence)
        let client = bench.client(transport, options: impatient)
        let task = Task { await Outcome(client.subscribe(Counting())) }
        try await transport.waitForRequests(2)
        try await bench.time.waitForTimers(1)
        bench.time.advance(by: .seconds(7))
        let error = await task.value.error
        #expect(error == .http(.timeout) && error?.httpError?.request?.url.path == "/moved" && error?.httpError?.attempts == 2)
        #expect(error?.httpError?.context.detail == "no response for the idle timeout of 7.00 s")
    }

    private var impatient: GraphQLSubscriptionOptions {
        bench.options {
            $0.idleTimeout = .seconds(7)
            $0.reconnection = .never
        }
    }

    @Test("A response in place of a stream must be complete within the idle timeout")
    func endlessResponse() async throws {
        let body = SentBody()
        let client = bench.client(
            MockTransport(.stream(headers: [.contentType: "application/json"]) { HTTPBody(reader: body) }), options: impatient)
        let task = Task { await Outcome(client.subscribe(Counting())) }
        for _ in 0..<7 {
            await body.waitUntilRead()
            try await bench.time.waitForTimers(1)
            bench.time.advance(by: .seconds(1))
            body.send(" ")
        }
        let error = await task.value.error
        #expect(error == .http(.timeout) && error?.httpError?.stage == .body && error?.httpError?.request != nil)
    }

    @Test("A transport of the app that never connects has the same limit")
    func ownTransport() async throws {
        struct Unreachable: SubscriptionTransport {
            func connect(_ request: SubscriptionRequest) async throws(GraphQLError) -> any SubscriptionConnection {
                // Ends only because it is cancelled.
                do { try await Task.sleep(for: .seconds(3_600)) } catch { throw .http(.cancelled) }
                throw .http(.timeout)
            }
        }
        let options = bench.options(Unreachable()) {
            $0.idleTimeout = .seconds(7)
            $0.reconnection = .never
        }
        let client = bench.client(MockTransport(), options: options)
        let task = Task { await Outcome(client.subscribe(Counting())) }
        try await bench.time.waitForTimers(1)
        bench.time.advance(by: .seconds(7))
        #expect(await task.value.error == .http(.timeout))
    }

    @Test("The HTTP client's idle timeout does not end a subscription, and the call's overrides the options'")
    func idleTimeouts() async throws {
        let body = SentBody()
        let client = bench.client(MockTransport(.events(body)), options: bench.options { $0.reconnection = .never })
        let task = Task { await Outcome(client.subscribe(Counting(), options: .init(call: CallOptions(idleTimeout: .seconds(20))))) }
        await body.waitUntilRead()
        bench.time.advance(by: .seconds(20))
        #expect(await task.value.error == .http(.timeout))
        let patient = SentBody()
        let other = bench.client(MockTransport(.events(patient)), options: bench.options { $0.idleTimeout = nil })
        let reading = Task { await Outcome(other.subscribe(Counting())) }
        await patient.waitUntilRead()
        bench.time.advance(by: .seconds(100_000))
        patient.send("event: next\ndata: {\"data\":{\"count\":1}}\n\n\(MockReply.complete)")
        #expect(await reading.value.counts == [1])
    }
}
