import Foundation
import Martlet
import MartletSystem
import TestSupport
import Testing

@testable import MartletGraphQL
@testable import MartletTesting

@Suite("Streamed GraphQL responses over sockets", .timeLimit(.minutes(5)))
struct StreamSocketTests {
    private func graphQL(_ server: MockServer, _ subscriptions: GraphQLSubscriptionOptions = .init()) -> GraphQLClient {
        GraphQLClient(HTTPClient(baseURL: server.url), configuration: .init(subscriptions: subscriptions))
    }

    /// Reconnects quickly and without randomness.
    private var soon: EventReconnection {
        EventReconnection(reconnects: true, delay: .milliseconds(1), minDelay: .milliseconds(1), maxFailures: 3)
    }

    @Test("Updates are delivered as their parts arrive: the server sends the next part after the previous update was read")
    func updates() async throws {
        let server = try await MockServer.start()
        let body = SentBody()
        server.enqueue(.stream(headers: [.contentType: "multipart/mixed; boundary=\"-\""]) { HTTPBody(reader: body) })
        body.send("---\r\nContent-Type: application/json\r\n\r\n")
        body.send(#"{"data":{"hero":{"id":"1"}},"pending":[{"id":"0","path":["hero"]}],"hasNext":true}"# + "\r\n---")
        var names: [String?] = []
        for try await update in graphQL(server).updates(GraphQLOperation<Singer>("{ hero { id ... @defer { name } } }")) {
            names.append(update.data?.hero?.name)
            guard update.hasNext else { continue }
            body.send(
                "\r\n\r\n" + #"{"incremental":[{"id":"0","data":{"name":"S"}}],"completed":[{"id":"0"}],"hasNext":false}"# + "\r\n-----\r\n"
            )
            body.send(nil)
        }
        #expect(names == [nil, "S"])
        await server.stop()
    }

    @Test("Results are delivered as they arrive, and leaving the loop closes the connection", arguments: [true, false])
    func leaving(isMultipart: Bool) async throws {
        let server = try await MockServer.start()
        let body = SentBody()
        server.enqueue(
            .stream(headers: [.contentType: isMultipart ? "multipart/mixed; boundary=\"graphql\"" : "text/event-stream"]) {
                HTTPBody(reader: body)
            })
        func send(_ count: Int) {
            let json = #"{"data":{"count":\#(count)}}"#
            body.send(isMultipart ? "--graphql\r\n\r\n{\"payload\":\(json)}\r\n" : "event: next\ndata: \(json)\n\n")
            if isMultipart { body.send("--graphql\r\n\r\n{}\r\n") }
        }
        send(1)
        var counts: [Int?] = []
        let options = GraphQLSubscriptionOptions(transport: isMultipart ? .multipart : .serverSentEvents)
        for try await result in graphQL(server, options).subscribe(Counting()) {
            counts.append(result.data?.count)
            if counts.count == 3 { break }
            send(counts.count + 1)
        }
        #expect(counts == [1, 2, 3])
        try await server.waitForOpenConnections()
        await server.stop()
    }

    @Test("Cancelling the task closes the connection immediately, even if the server is silent")
    func cancelling() async throws {
        let server = try await MockServer.start()
        server.enqueue(.events(SentBody()))
        let client = graphQL(server)
        let (opened, tell) = AsyncStream<Void>.makeStream()
        let task = Task { () -> GraphQLError? in
            do throws(GraphQLError) {
                var iterator = client.subscribe(Counting()).signals.makeAsyncIterator()
                while let signal = try await iterator.next() { if case .open = signal { tell.yield() } }
                return nil
            } catch { return error }
        }
        for await _ in opened { break }
        task.cancel()
        #expect(await task.value == .http(.cancelled))
        try await server.waitForOpenConnections()
        await server.stop()
    }

    @Test("A subscription reconnects after a reset and after a cut response, and fails when the server is gone")
    func dying() async throws {
        let server = try await MockServer.start()
        server.enqueue(
            .counting(1, 2, completing: false).disconnecting(afterBodyBytes: 70, reset: true), .reset, .counting(3, completing: false))
        let client = graphQL(server, .init(reconnection: soon))
        var iterator = client.subscribe(Counting()).signals.makeAsyncIterator()
        var counts: [Int?] = [], error: GraphQLError?
        do throws(GraphQLError) {
            while let signal = try await iterator.next() {
                guard case .result(let result) = signal else { continue }
                counts.append(result.data?.count)
                if counts.last == 3 { await server.stop() }
            }
        } catch let failure { error = failure }
        guard case .http(.networkError) = error else { Issue.record("\(String(describing: error))"); return }
        #expect(counts == [1, 3])
    }

    @Test("A slow reader slows down the server")
    func backpressure() async throws {
        var options = MockServer.Options()
        options.sendBufferBytes = 32 * 1024
        let server = try await MockServer.start(options: options)
        let made = Locked(0)
        let event = Data("event: next\ndata: {\"data\":{\"count\":1},\"x\":\"\(String(repeating: "x", count: 100_000))\"}\n\n".utf8)
        server.enqueue(
            .stream(headers: [.contentType: "text/event-stream"]) {
                HTTPBody {
                    made.withLock { made in
                        made += 1
                        return made <= 1000 ? event : nil
                    }
                }
            })
        var read = 0
        for try await _ in graphQL(server).subscribe(Counting()) {
            read += 1
            #expect(made.withLock { $0 } <= read + 120)
            if read == 200 { break }
        }
        #expect(made.withLock { $0 } < 400)
        await server.stop()
    }

    @Test("An event of one gigabyte is an error at the limit, is not buffered, and closes the connection")
    func gigabyte() async throws {
        let server = try await MockServer.start()
        let made = Locked(0), piece = Data(repeating: UInt8(ascii: "x"), count: 1_000_000)
        server.enqueue(
            .stream(headers: [.contentType: "text/event-stream"]) {
                HTTPBody {
                    made.withLock { made in
                        made += 1
                        return made == 1 ? Data("event: next\ndata: ".utf8) : made <= 1000 ? piece : nil
                    }
                }
            })
        let outcome = await Outcome(graphQL(server).subscribe(Counting()))
        guard case .http(.responseTooLarge(let failure)) = outcome.error else { Issue.record("\(outcome)"); return }
        #expect(failure.limit == 16 << 20 && made.withLock { $0 } < 100)
        try await server.waitForOpenConnections()
        await server.stop()
    }

    @Test("A server that never sends a head causes an idle timeout")
    func noHead() async throws {
        let server = try await MockServer.start()
        server.enqueue(.silence)
        let outcome = await Outcome(
            graphQL(server, .init(reconnection: .never, idleTimeout: .milliseconds(20))).subscribe(Counting()))
        #expect(outcome.error == .http(.timeout))
        await server.stop()
    }
}
