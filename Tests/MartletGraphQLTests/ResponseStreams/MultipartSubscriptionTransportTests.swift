import Foundation
import Martlet
import TestSupport
import Testing

@testable import MartletGraphQL
@testable import MartletTesting

@Suite("Subscriptions over multipart/mixed", .timeLimit(.minutes(5)))
struct MultipartSubscriptionTransportTests {
    private let bench = SubscriptionBench()

    private func results(_ replies: MockReply...) async -> Outcome {
        await Outcome(bench.client(MockTransport(replies: replies), options: bench.options(.multipart)).subscribe(Counting()))
    }

    @Test("The request has the multipart media type first in Accept")
    func request() async {
        let transport = MockTransport(.parts(boundary: "graphql"))
        _ = await Outcome(bench.client(transport, options: bench.options(.multipart)).subscribe(Counting()))
        #expect(
            transport.requests.first?.headers[.accept] == "multipart/mixed;boundary=\"graphql\";subscriptionSpec=1.0, application/json")
    }

    @Test("Each part's payload is a result, empty objects are heartbeats, and the closing boundary completes the subscription")
    func results() async {
        let outcome = await results(
            .parts(
                "{}", #"{"payload":{"data":{"count":1}}}"#, "", #"{"payload":{"data":null,"errors":[{"message":"a"}]}}"#,
                #"{"payload":{"data":{"count":3},"errors":[{"message":"b"}]}}"#, #"{"payload":{"data":{"count":4}}}"#, boundary: "graphql"))
        #expect(outcome.counts == [1, nil, 3, 4] && outcome.errors == [[], ["a"], ["b"], []] && outcome.error == nil)
        #expect(bench.time.sleeps == [])
    }

    @Test("Strawberry's format is read: a heartbeat before the first boundary, a comma in the media type, an empty last part")
    func strawberry() async {
        func part(_ json: String) -> String {
            "\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: \(json.utf8.count)\r\n\r\n\(json)\r\n--graphql"
        }
        let body =
            part("{}") + part(#"{"payload":{"data":{"count":1}}}"#) + part(#"{"payload":{"data":{"count":2}}}"#) + "\r\n--graphql--\r\n"
        for size in [1, 5, 10_000] {
            let pieces = stride(from: 0, to: body.utf8.count, by: size).map { Data(body.utf8.dropFirst($0).prefix(size)) }
            let outcome = await results(
                .stream(pieces, headers: [.contentType: "multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json"]))
            #expect(outcome.counts == [1, 2] && outcome.error == nil)
        }
    }

    @Test("Errors with a null or missing payload end the subscription, and a payload before them is delivered")
    func fatal() async {
        let errors = #""errors":[{"message":"over","extensions":{"code":"SUBSCRIPTION_CLOSED"}}]"#
        for part in [#"{"payload":null,\#(errors)}"#, #"{\#(errors)}"#] {
            let outcome = await results(.parts(#"{"payload":{"data":{"count":1}}}"#, part, #"{"payload":{"data":{"count":2}}}"#))
            #expect(
                outcome.counts == [1] && outcome.error == .response([GraphQLResponseError(message: "over", code: "SUBSCRIPTION_CLOSED")]))
            #expect(outcome.error?.errors.first?.operationName == "Counting")
        }
        let both = await results(.parts(#"{"payload":{"data":{"count":1}},\#(errors)}"#))
        #expect(both.counts == [1] && both.error?.errors.first?.message == "over")
        #expect(await results(.parts(#"{"payload":null}"#, #"{"payload":{"data":{"count":2}}}"#)).counts == [])
    }

    @Test("A body that ends before its closing boundary counts as a lost connection")
    func cut() async {
        let outcome = await results(
            .parts(#"{"payload":{"data":{"count":1}}}"#, closes: false), .parts(#"{"payload":{"data":{"count":2}}}"#))
        #expect(outcome.counts == [1, 2] && outcome.error == nil && bench.time.sleeps == [.seconds(3)])
    }

    @Test("Parts that are not JSON, not objects, or too large are errors")
    func malformed() async {
        let noJSON = await results(.parts("<p>"))
        guard case .http(.decodingFailed) = noJSON.error else { Issue.record("\(noJSON)"); return }
        for part in ["[]", "7", "null"] {
            let outcome = await results(.parts(part))
            guard case .http(.invalidResponse) = outcome.error else { Issue.record("\(part): \(outcome)"); return }
        }
        let deep = await results(.parts("{\"payload\":" + String(repeating: "{\"a\":", count: 10_000)))
        guard case .http(.decodingFailed) = deep.error else { Issue.record("\(deep)"); return }
        let large = await Outcome(
            bench.client(
                MockTransport(.parts("{\"payload\":\"" + String(repeating: "x", count: 5000) + "\"}")),
                options: bench.options(.multipart) { $0.maxMessageBytes = 1000 }
            ).subscribe(Counting()))
        guard case .http(.responseTooLarge) = large.error else { Issue.record("\(large)"); return }
    }

    @Test("Parts without a wrapper are results, numbers keep their digits, and other objects are heartbeats")
    func lenient() async throws {
        struct Large: Decodable, Sendable, Equatable { let count: UInt64 }
        let transport = MockTransport(.parts(#"{"data":{"count":18446744073709551615}}"#, #"{"hasNext":true}"#))
        let client = bench.client(transport, options: bench.options(.multipart))
        var counts: [UInt64?] = []
        for try await result in client.subscribe(Counting().operation.decoding(as: Large.self)) { counts.append(result.data?.count) }
        #expect(counts == [.max])
    }

    @Test("A response in one part is read by the usual rules")
    func whole() async {
        #expect(await results(.json(#"{"data":{"count":7}}"#)).counts == [7])
        let refused = await results(.json(#"{"errors":[{"message":"no"}]}"#))
        #expect(refused.error == .response([GraphQLResponseError(message: "no")]))
    }

    private func multipart(_ pieces: String..., boundary: String = "graphql") -> MockReply {
        .stream(pieces.map { Data($0.utf8) }, headers: [.contentType: "multipart/mixed; boundary=\"\(boundary)\""])
    }

    @Test(
        "A body that is malformed from the start fails immediately without reconnection",
        arguments: [
            "--other\r\n\r\n{}\r\n--other", "\r\n--other", "--graphqlx", "--graphql\r\nno field\r\n\r\n{}", "{\"data\":{\"count\":1}}",
        ])
    func malformedStart(body: String) async {
        let transport = MockTransport { _ in multipart(body) }
        let outcome = await Outcome(bench.client(transport, options: bench.options(.multipart)).subscribe(Counting()))
        guard case .http(.invalidResponse) = outcome.error else { Issue.record("\(outcome)"); return }
        #expect(transport.requests.count == 1 && bench.time.sleeps == [])
    }

    @Test("A boundary other than the declared one is an error before the body ends")
    func endlessForeignParts() async {
        let body = SentBody()
        let transport = MockTransport(
            .stream(headers: [.contentType: "multipart/mixed; boundary=\"-\""]) { HTTPBody(reader: body) })
        body.send("--graphql\r\n\r\n{}\r\n--graphql")
        let outcome = await Outcome(bench.client(transport, options: bench.options(.multipart)).subscribe(Counting()))
        guard case .http(.invalidResponse(let words)) = outcome.error else { Issue.record("\(outcome)"); return }
        #expect(words.text.contains("another boundary") && body.reason != nil)
    }

    @Test("A body that ends before its first part, or becomes malformed after one, causes a reconnection")
    func laterTrouble() async {
        let part = "--graphql\r\n\r\n{\"payload\":{\"data\":{\"count\":1}}}\r\n--graphql"
        let outcome = await results(
            multipart(""), multipart("--gra"), multipart("--graphql\r\n"), multipart(part + "x\r\n"),
            .parts(#"{"payload":{"data":{"count":2}}}"#))
        #expect(outcome.counts == [1, 2] && outcome.error == nil && bench.time.sleeps.count == 4)
    }
}
