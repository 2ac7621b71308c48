import Foundation
import Martlet
import TestSupport
import Testing

@testable import MartletGraphQL
@testable import MartletTesting

@Suite("Subscriptions over server-sent events", .timeLimit(.minutes(5)))
struct ServerSentEventsSubscriptionTransportTests {
    private let bench = SubscriptionBench()

    @Test("Each next event is a result, in order, and complete ends the subscription")
    func results() async {
        let outcome = await bench.results(.counting(1, 2, 3))
        #expect(outcome.counts == [1, 2, 3] && outcome.error == nil && bench.time.sleeps == [])
    }

    @Test("Each iteration sends the operation as a JSON POST")
    func request() async throws {
        let transport = MockTransport(.counting(1), .counting(2))
        let sequence = bench.client(transport).subscribe(
            Counting(to: 3), options: .init(headers: ["X-A": "1"], extensions: ["trace": "t"]))
        #expect(transport.requests.isEmpty)
        #expect(await Outcome(sequence).counts == [1])
        #expect(await Outcome(sequence).counts == [2])
        let sent = try #require(transport.requests.first)
        #expect(sent.method == .post && sent.url.absoluteString == "https://api.example/graphql")
        #expect(sent.headers[.accept] == "text/event-stream" && sent.headers[.contentType] == "application/json")
        #expect(sent.headers["X-A"] == "1" && sent.headers[.cacheControl] == "no-cache" && sent.headers["Last-Event-ID"] == nil)
        #expect(
            sent.json?["operationName"] == "Counting" && sent.json?["variables"] == ["to": 3] && sent.json?["extensions"] == ["trace": "t"])
    }

    @Test("Any line ending and any chunking of the events is read")
    func lines() async {
        let text =
            "event: next\r\ndata: {\"data\":\rdata: {\"count\":1}}\r\r\n\nevent: next\ndata: {\"data\":{\"count\":2}}\r\n\r\nevent: complete\rdata: \r\r"
        for size in [1, 2, 3, 7, 1000] {
            let pieces = stride(from: 0, to: text.utf8.count, by: size).map { start in
                Data(text.utf8.dropFirst(start).prefix(size))
            }
            let outcome = await bench.results(.stream(pieces, headers: [.contentType: "text/event-stream; charset=utf-8"]))
            #expect(outcome.counts == [1, 2] && outcome.error == nil)
        }
    }

    @Test("A response in the format of the other transport is an error that names it, without waiting for its end")
    func otherFormat() async throws {
        for (own, type, name) in [
            (HTTPSubscriptionTransport.serverSentEvents, "multipart/mixed; boundary=graphql", ".multipart"),
            (.multipart, "text/event-stream; charset=utf-8", ".serverSentEvents"),
        ] {
            let endless = MockReply.stream(headers: [.contentType: type]) { HTTPBody(reader: SentBody()) }
            let outcome = await bench.results(endless, options: bench.options(own))
            let error = try #require(outcome.error), text = "\(error)"
            #expect(text.contains("use the subscription transport \(name)") && !text.contains("IgnoredData"), "\(text)")
            guard case .http(let failure) = error, case .decodingFailed = failure else { Issue.record("\(text)"); continue }
            #expect(failure.request != nil && failure.stage == .validation && bench.time.sleeps == [])
        }
    }

    @Test("An error for a response that is not GraphQL names no type of the implementation", arguments: ["text/html", "application/json"])
    func notGraphQL(type: String) async throws {
        let outcome = await bench.results(.text("<p>", headers: [.contentType: type]))
        let text = "\(try #require(outcome.error))"
        #expect(text.contains("Decoding a GraphQL response failed") && !text.contains("IgnoredData"), "\(text)")
    }

    @Test("An id that differs from the one before only in its bytes is sent with the next connection")
    func bytesOfIDs() async {
        let transport = MockTransport(
            .events(
                "id: é\nevent: next\ndata: {\"data\":{\"count\":1}}\n\n", "id: e\u{301}\nevent: next\ndata: {\"data\":{\"count\":2}}\n\n"),
            .counting(3))
        #expect(await Outcome(bench.client(transport).subscribe(Counting())).counts == [1, 2, 3])
        #expect(transport.requests.last?.headers.bytes(for: "Last-Event-ID") == [[0x65, 0xCC, 0x81]])
    }

    @Test("Events after complete are ignored")
    func afterComplete() async {
        let outcome = await bench.results(
            .events(
                "event: next\ndata: {\"data\":{\"count\":1}}\n\n", MockReply.complete, "event: next\ndata: {\"data\":{\"count\":2}}\n\n"))
        #expect(outcome.counts == [1] && outcome.error == nil)
    }

    @Test("complete ends the subscription even without a data line")
    func completeWithoutData() async {
        let outcome = await bench.results(
            .events("event: next\ndata: {\"data\":{\"count\":1}}\n\nevent: complete\n\n"),
            .counting(2))
        #expect(outcome.counts == [1] && outcome.error == nil && bench.time.sleeps == [])
    }

    @Test("Nonempty events without a type are results, and all other events are heartbeats")
    func types() async {
        let outcome = await bench.results(
            .events(
                "data: {\"data\":{\"count\":1}}\n\n", "data:\n\n", "event: ping\ndata: x\n\n", ": comment\n\n",
                "event: next\ndata: {\"data\":{\"count\":2}}\n\n", MockReply.complete))
        #expect(outcome.counts == [1, 2] && outcome.error == nil)
    }

    @Test("Errors in a result belong to that result, and the subscription continues")
    func errors() async {
        let outcome = await bench.results(
            .events(
                "event: next\ndata: {\"data\":null,\"errors\":[{\"message\":\"a\"}]}\n\n",
                "event: next\ndata: {\"data\":{\"count\":2},\"errors\":[{\"message\":\"b\"}]}\n\n",
                "event: next\ndata: {\"data\":{\"other\":3},\"errors\":[{\"message\":\"c\"}]}\n\n",
                "event: next\ndata: {\"data\":{\"count\":4}}\n\n", MockReply.complete))
        #expect(outcome.counts == [nil, 2, nil, 4] && outcome.errors == [["a"], ["b"], ["c"], []] && outcome.error == nil)
    }

    @Test("The error policy applies to each result")
    func policy() async {
        let both = "event: next\ndata: {\"data\":{\"count\":2},\"errors\":[{\"message\":\"b\"}]}\n\n"
        let strict = await bench.results(.events(both, MockReply.complete), call: .init(errorPolicy: .none))
        #expect(strict.counts == [nil] && strict.errors == [["b"]])
        let lax = await bench.results(.events(both, MockReply.complete), call: .init(errorPolicy: .ignore))
        #expect(lax.counts == [2] && lax.errors == [[]])
    }

    @Test("A result that does not match the type ends the subscription with an error that has the result and the request")
    func undecodable() async throws {
        let outcome = await bench.results(
            .events("event: next\ndata: {\"data\":{\"count\":1}}\n\n", "event: next\ndata: {\"data\":{\"count\":\"x\"}}\n\n"))
        guard case .http(.decodingFailed(let failure)) = outcome.error else { Issue.record("\(outcome)"); return }
        #expect(outcome.counts == [1] && failure.codingPath == "data.count" && failure.context.request?.method == .post)
        #expect(failure.response.body == Data(#"{"data":{"count":"x"}}"#.utf8) && failure.response.status == 200)
        for text in ["", "null", "[]", "{}", "{\"data\":null}", "x", String(repeating: "[", count: 10_000)] {
            let outcome = await bench.results(.events("event: next\ndata: \(text)\n\n"))
            guard case .http(.decodingFailed) = outcome.error else { Issue.record("\(text.prefix(20)): \(outcome)"); return }
        }
    }

    @Test("A result with ten thousand levels, or one that is not JSON, is an error and does not trap")
    func nesting() async {
        for opening in ["[", "{\"a\":"] {
            let deep = "{\"data\":{\"count\":\(String(repeating: opening, count: 10_000))"
            for text in [deep, "<p>"] {
                let outcome = await bench.results(.events("event: next\ndata: \(text)\n\n"))
                guard case .http(.decodingFailed) = outcome.error else { Issue.record("\(outcome)"); return }
                #expect(outcome.counts == [] && bench.time.sleeps == [])
            }
        }
    }

    @Test("An error before the stream is thrown: the server's errors, or the status")
    func refused() async {
        let errors = #"{"errors":[{"message":"no such field","locations":[{"line":1,"column":2}]}]}"#
        for reply in [
            MockReply.json(errors), .json(errors, status: 400), .json(#"{"data":null,"errors":[{"message":"no such field"}]}"#),
            .json(errors, status: 400, headers: [.contentType: "application/graphql-response+json"]),
        ] {
            let outcome = await bench.results(reply)
            guard case .response(let errors) = outcome.error else { Issue.record("\(outcome)"); return }
            #expect(errors.map(\.message) == ["no such field"] && outcome.counts == [])
            #expect(errors.first?.operationName == "Counting" && errors.first?.response != nil)
        }
        let html = await bench.results(.text("<html>", status: 403, headers: [.contentType: "text/html"]))
        #expect(html.error?.httpError?.status == 403)
        let page = await bench.results(.text("<html>", headers: [.contentType: "text/html"]))
        guard case .http(.decodingFailed) = page.error else { Issue.record("\(page)"); return }
        #expect(bench.time.sleeps == [])
    }

    @Test("An error in a plain response says that the server may offer subscriptions only over WebSocket")
    func onlyOverWebSocket() async throws {
        let hint =
            "the server sent one response in place of a stream; it may offer subscriptions only over WebSocket: use the subscription "
            + "transport .webSocket"
        let null = #"{"data":null,"errors":[{"message":"Cannot return null for Subscription.count.","path":["count"]}]}"#
        for reply in [MockReply.json(null), .json(null, status: 400)] {
            let outcome = await bench.results(reply)
            let error = try #require(outcome.error)
            #expect(
                error.description
                    == "GraphQL errors of Counting: Cannot return null for Subscription.count at count (\(hint)): "
                    + "POST https://api.example/graphql")
            #expect(error.observed.failureText.contains(hint))
        }
        #expect("\(try #require(await bench.results(.json(#"{"detail":"no"}"#)).error))".contains(hint))
        let rejected = #"{"errors":[{"message":"no","extensions":{"code":"UNAUTHENTICATED"}}]}"#
        for reply in [
            MockReply.json(rejected), .json(null, status: 403), .text("<p>", headers: [.contentType: "text/html"]),
        ] {
            let outcome = await bench.results(reply)
            #expect(outcome.error?.description.contains("WebSocket") == false, "\(outcome)")
        }
    }

    @Test("The words about WebSocket follow the detail that an error has")
    func hintAfterDetail() {
        let response = HTTPResponse(status: 200, headers: [.contentType: "application/json"], body: Data())
        let error = GraphQLError.http(.noData(HTTPError.Explanation("x", context: ErrorContext(detail: "own"))))
        #expect(error.withHint(in: response).httpError?.context.detail.hasPrefix("own; the server sent one response") == true)
    }

    @Test("Data in a single response is the only result, and 204 ends the subscription")
    func whole() async {
        #expect(await bench.results(.json(#"{"data":{"count":7}}"#)).counts == [7])
        let nothing = await bench.results(.status(204))
        #expect(nothing.counts == [] && nothing.error == nil)
    }

    @Test("A message beyond the limit is an error and is not buffered completely")
    func tooLarge() async {
        let body = SentBody()
        for _ in 1...20 { body.send("data: " + String(repeating: "x", count: 100) + "\n") }
        let outcome = await bench.results(.events(body), options: bench.options { $0.maxMessageBytes = 1000 })
        guard case .http(.responseTooLarge(let failure)) = outcome.error else { Issue.record("\(outcome)"); return }
        #expect(failure.subject == .event && failure.limit == 1000 && body.reason == .cancelled)
        let line = SentBody()
        for _ in 1...20 { line.send(String(repeating: "x", count: 100)) }
        let endless = await bench.results(.events(line), options: bench.options { $0.maxMessageBytes = 1000 })
        guard case .http(.responseTooLarge(let failure)) = endless.error else { Issue.record("\(endless)"); return }
        #expect(failure.subject == .line)
    }

    @Test("An operation that is not a subscription, is invalid or has an upload throws on iteration, and nothing is sent")
    func invalid() async {
        let transport = MockTransport()
        let client = bench.client(transport)
        for document: GraphQLDocument in ["query { count }", "mutation { count }"] {
            let outcome = await Outcome(client.subscribe(GraphQLOperation<Count>(document)))
            guard case .invalidOperation = outcome.error else { Issue.record("\(outcome)"); return }
        }
        let broken = await Outcome(client.subscribe(GraphQLOperation<Count>("subscription {")))
        guard case .invalidDocument(let mistake) = broken.error else { Issue.record("\(broken)"); return }
        #expect(mistake.line == 1)
        let upload = GraphQLUpload(data: Data([1]), filename: "a")
        let file = GraphQLOperation<Count>("subscription ($f: Upload) { count(f: $f) }", variables: ["f": .upload(upload)])
        guard case .invalidOperation = await Outcome(client.subscribe(file)).error else { Issue.record("an upload"); return }
        #expect(transport.requests.isEmpty)
    }
}
