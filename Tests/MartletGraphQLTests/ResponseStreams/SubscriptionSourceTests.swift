import Foundation
import Martlet
import MartletSystem
import TestSupport
import Testing

@testable import MartletGraphQL
@testable import MartletTesting

/// A transport that follows a script and records the requests.
private final class ScriptedTransport: SubscriptionTransport {
    enum Step: Sendable {
        case fails(GraphQLError)
        case gives([SubscriptionMessage])
        /// Opens a connection that stays silent.
        case silence
    }

    private let steps: Locked<ArraySlice<Step>>
    private let asked = Locked<[SubscriptionRequest]>([])
    let closed = Locked(0)
    /// Set when a silent connection is read.
    let isRead = OneShot<Void>()

    init(_ steps: Step...) { self.steps = Locked(steps[...]) }

    var requests: [SubscriptionRequest] { asked.withLock { $0 } }

    func connect(_ request: SubscriptionRequest) async throws(GraphQLError) -> any SubscriptionConnection {
        asked.withLock { $0.append(request) }
        switch steps.withLock({ $0.popFirst() }) {
        case .fails(let error): throw error
        case .gives(let messages): return Connection(messages, closed, isRead)
        case .silence: return Connection(nil, closed, isRead)
        case nil: throw .http(.invalidRequest("no step left"))
        }
    }

    final class Connection: SubscriptionConnection {
        let response: HTTPResponse<Void>? = nil
        private let messages: Locked<ArraySlice<SubscriptionMessage>>?
        private let closed: Locked<Int>
        private let end = OneShot<Void>()
        private let isRead: OneShot<Void>

        init(_ messages: [SubscriptionMessage]?, _ closed: Locked<Int>, _ isRead: OneShot<Void>) {
            self.isRead = isRead
            self.messages = messages.map { Locked($0[...]) }
            self.closed = closed
        }

        func next() async throws(GraphQLError) -> SubscriptionMessage? {
            if let messages { return messages.withLock { $0.popFirst() } }
            isRead.set(())
            await end.value()
            throw .http(.cancelled)
        }

        func close() { if end.set(()) { closed.withLock { $0 += 1 } } }
    }
}

@Suite("Subscriptions over any transport", .timeLimit(.minutes(5)))
struct SubscriptionSourceTests {
    private let bench = SubscriptionBench()

    private func next(_ count: Int) -> SubscriptionMessage { .next(Data(#"{"data":{"count":\#(count)}}"#.utf8)) }

    private func outcome(_ transport: ScriptedTransport, _ change: (inout GraphQLSubscriptionOptions) -> Void = { _ in }) async -> Outcome {
        await Outcome(bench.client(MockTransport(), options: bench.options(transport, change)).subscribe(Counting(to: 2)))
    }

    @Test("A custom transport receives the operation as JSON, delivers messages, and each connection is closed once")
    func own() async throws {
        let transport = ScriptedTransport(
            .gives([next(1), .retry(.seconds(9)), .id("x"), .heartbeat]), .fails(.http(.timeout)), .gives([next(2), .complete, next(3)]))
        let outcome = await outcome(transport)
        #expect(outcome.counts == [1, 2] && outcome.error == nil)
        #expect(bench.time.sleeps == [.seconds(9), .seconds(9)] && transport.closed.withLock { $0 } == 2)
        #expect(transport.requests.map(\.lastEventID) == [nil, "x", "x"])
        let request = try #require(transport.requests.first)
        #expect(request.operation.operationName == "Counting" && request.maxMessageBytes == 16 << 20)
        #expect(try JSONValue(parsing: request.payload)["variables"] == ["to": 2])
        #expect(request.endpoint(accept: "x/y").headers[.accept] == "x/y")
        var dumped = ""
        dump(request, to: &dumped)
        #expect("\(request)" == "subscription Counting" && !dumped.contains("variables"))
    }

    @Test("A terminal error is thrown, even before any result, and no other connection is opened")
    func terminal() async {
        let transport = ScriptedTransport(.gives([next(1), .error([GraphQLResponseError(message: "over")]), next(2)]))
        let outcome = await outcome(transport)
        #expect(outcome.counts == [1] && outcome.error == .response([GraphQLResponseError(message: "over")]))
        #expect(outcome.error?.errors.first?.operationName == "Counting" && transport.closed.withLock { $0 } == 1)
        let refusing = ScriptedTransport(.fails(.response([GraphQLResponseError(message: "no")])))
        #expect(await self.outcome(refusing).error == .response([GraphQLResponseError(message: "no")]) && bench.time.sleeps == [])
    }

    @Test("A silent connection is closed, and without reconnection a timeout is thrown")
    func silence() async throws {
        let transport = ScriptedTransport(.silence)
        let task = Task { [self] in await self.outcome(transport) { $0.reconnection = .never } }
        await transport.isRead.value()
        bench.time.advance(by: .seconds(300))
        let outcome = await task.value
        #expect(outcome.error == .http(.timeout) && transport.closed.withLock { $0 } == 1)
    }

    @Test("A cancelled task throws .cancelled immediately, and the connection is closed even if it ignores cancellation")
    func cancelled() async throws {
        let transport = ScriptedTransport(.silence)
        let task = Task { [self] in await self.outcome(transport) }
        await transport.isRead.value()
        task.cancel()
        #expect(await task.value.error == .http(.cancelled) && transport.closed.withLock { $0 } == 1 && transport.requests.count == 1)
    }

    @Test("A task cancelled while waiting to reconnect opens no connection")
    func cancelledWhileWaiting() async throws {
        let time = ManualTime(autoAdvances: false)
        let transport = MockTransport(.disconnect)
        let http = HTTPClient(baseURL: URL(string: "https://h/"), transport: transport, configuration: .init(totalTimeout: nil), time: time)
        let task = Task { await Outcome(GraphQLClient(http).subscribe(Counting())) }
        try await time.waitForSleeps()
        task.cancel()
        #expect(await task.value.error == .http(.cancelled) && transport.requests.count == 1)
    }

    @Test("Leaving the loop or releasing the iterator closes the connection")
    func leaving() async throws {
        let body = SentBody()
        body.send("event: next\ndata: {\"data\":{\"count\":1}}\n\n")
        for try await result in bench.client(MockTransport(.events(body))).subscribe(Counting()) {
            #expect(result.data?.count == 1 && body.reason == nil)
            break
        }
        #expect(body.reason == .cancelled)
    }

    @Test("After an error or the end, the iterator returns nil")
    func afterwards() async throws {
        let failing = bench.client(MockTransport(), options: bench.options(ScriptedTransport(.fails(.http(.invalidRequest("x"))))))
        var iterator = failing.subscribe(Counting()).makeAsyncIterator()
        await #expect(throws: GraphQLError.self) { _ = try await iterator.next() }
        let nothing = try await iterator.next()
        #expect(nothing == nil)
        var other = bench.client(MockTransport(.counting(1))).subscribe(Counting()).makeAsyncIterator()
        var seen: [Int?] = []
        for _ in 1...3 { seen.append(try await other.next()?.data?.count) }
        #expect(seen == [1, nil, nil])
    }

    @Test("A call's own subscription options override the client's")
    func perCall() async {
        let transport = ScriptedTransport(.gives([next(5), .complete]))
        let outcome = await bench.results(call: .init(subscription: bench.options(transport)))
        #expect(outcome.counts == [5])
    }

    @Test("A client without subscriptions throws .invalidOperation, and a mock's own sequences are returned unchanged")
    func doubles() async throws {
        struct Answering: GraphQLClientProtocol {
            func response<D>(for operation: GraphQLOperation<D>, options: GraphQLCallOptions) async throws(GraphQLError) -> GraphQLResponse<
                D
            > {
                throw .http(.timeout)
            }
        }
        guard case .invalidOperation = await Outcome(Answering().subscribe(Counting())).error else { Issue.record("subscribed"); return }
        let scripted = GraphQLSubscriptionSequence([.complete(Count(count: 1)), .failed([])], failure: .http(.timeout))
        let outcome = await Outcome(scripted)
        #expect(outcome.counts == [1, nil] && outcome.error == .http(.timeout))
        let calls = Locked(0)
        let made = GraphQLSubscriptionSequence<Count, GraphQLError> {
            { () async throws(GraphQLError) in
                calls.withLock { calls in
                    calls += 1
                    return calls
                } < 3 ? .result(.complete(Count(count: 7))) : nil
            }
        }
        #expect(await Outcome(made).counts == [7, 7])
    }
}
