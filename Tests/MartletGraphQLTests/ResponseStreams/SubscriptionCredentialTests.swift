import Foundation
import Martlet
import MartletSystem
import MartletTesting
import Testing

@testable import MartletGraphQL

@Suite("Subscriptions with refused credentials", .timeLimit(.minutes(5)))
struct SubscriptionCredentialTests {
    private let bench = SubscriptionBench()
    private static let refusal = #"{"data":null,"errors":[{"message":"who?","extensions":{"code":"UNAUTHENTICATED"}}]}"#
    private static let refused = GraphQLError.response([GraphQLResponseError(message: "who?", code: "UNAUTHENTICATED")])

    /// What a loop gives whose credential is renewed as `renew` says, and how often it was asked to.
    private func outcome(
        _ replies: MockReply..., renew: @escaping @Sendable (HTTPResponse<Void>?) async throws(GraphQLError) -> Bool = { _ in true }
    ) async -> (outcome: Outcome, renewals: Int, requests: Int) {
        let transport = MockTransport(replies: replies), renewals = Locked(0)
        let client = bench.client(transport)
        let target = SubscriptionTarget(
            operationName: "Counting",
            prepare: { () throws(GraphQLError) in
                let operation = Counting().operation.erased
                return SubscriptionRequest(
                    operation: operation, payload: Data("{}".utf8), maxMessageBytes: 1000, client: client.client,
                    post: GraphQLEndpoint([operation], target: client.target, headers: [:], timeout: nil, options: CallOptions()))
            },
            renew: { response async throws(GraphQLError) in
                renewals.withLock { $0 += 1 }
                return try await renew(response)
            }, options: bench.options(), policy: .all, time: bench.time, random: client.client.random, decoder: .json)
        let outcome = await Outcome(GraphQLSubscriptionSequence(SubscriptionLoop<Count>(target)))
        return (outcome, renewals.withLock { $0 }, transport.requests.count)
    }

    @Test("The credential is renewed once and the connection made again at once, however the refusal comes")
    func renewed() async {
        for refusal in [MockReply.json(Self.refusal), .json(Self.refusal, status: 400), .events("event: next\ndata: \(Self.refusal)\n\n")] {
            let (outcome, renewals, requests) = await outcome(refusal, .counting(1))
            #expect(outcome.counts == [1] && outcome.error == nil && renewals == 1 && requests == 2)
        }
        #expect(bench.time.sleeps == [])
    }

    @Test("A credential that is refused again is given up: what the server said is thrown, or given as the result it is")
    func refusedAgain() async {
        let thrown = await outcome(.json(Self.refusal), .json(Self.refusal), .counting(1))
        #expect(thrown.outcome.error == Self.refused && thrown.renewals == 1 && thrown.requests == 2)
        let given = await outcome(.json(Self.refusal), .events("event: next\ndata: \(Self.refusal)\n\n\(MockReply.complete)"))
        #expect(given.outcome.errors == [["who?"]] && given.outcome.error == nil && given.renewals == 1)
    }

    @Test("A server that refuses every credential and closes is not asked for a new one each time")
    func refusedForEver() async {
        let refusal = MockReply.events("event: next\ndata: \(Self.refusal)\n\n")
        let (outcome, renewals, _) = await outcome(refusal, refusal, refusal, .counting(1))
        #expect(outcome.errors == [["who?"], ["who?"], []] && outcome.error == nil && renewals == 1)
    }

    @Test("Where there is no other credential nothing is asked again, and one that can't be got is the error")
    func noOther() async {
        let none = await outcome(.json(Self.refusal)) { _ in false }
        #expect(none.outcome.error == Self.refused && none.requests == 1)
        let failed = await outcome(.json(Self.refusal)) { _ async throws(GraphQLError) in throw .http(.authenticationFailed("gone")) }
        #expect(failed.outcome.error == .http(.authenticationFailed("gone")))
    }

    @Test("After a result the next refusal at the beginning of a connection is met anew; in the middle it is a result like others")
    func later() async {
        let first = "event: next\ndata: {\"data\":{\"count\":1}}\n\n"
        let outcome = await outcome(
            .json(Self.refusal), .events(first), .json(Self.refusal),
            .events(first, "event: next\ndata: \(Self.refusal)\n\n", MockReply.complete))
        #expect(outcome.outcome.counts == [1, 1, nil] && outcome.renewals == 2 && outcome.outcome.error == nil)
    }

    @Test("A client's own token is renewed by its AuthInterceptor, whether it is refused instead of a stream or in it")
    func client() async {
        for refusal in [MockReply.json(Self.refusal), .events("event: next\ndata: \(Self.refusal)\n\n")] {
            let vault = NumberedTokens()
            let transport = MockTransport(refusal, .counting(1))
            let outcome = await Outcome(bench.client(transport, interceptors: [AuthInterceptor(vault)]).subscribe(Counting()))
            #expect(outcome.counts == [1] && outcome.error == nil)
            #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer token-1", "Bearer token-2"])
        }
        #expect(bench.time.sleeps == [])
    }

    @Test("cancelAll() closes a connection that is still read after a failed renewal")
    func cancelledAfterwards() async {
        let body = SentBody(), vault = OneToken()
        body.send("event: next\ndata: \(Self.refusal)\n\n")
        let client = bench.client(MockTransport(.events(body)), interceptors: [AuthInterceptor(vault)])
        let task = Task { await Outcome(client.subscribe(Counting())) }
        await vault.isAsked.value()
        vault.mayAnswer.set(())
        await body.waitUntilRead()
        client.cancelAll()
        let outcome = await task.value
        #expect(outcome.errors == [["who?"]] && outcome.error == .http(.cancelled) && body.reason == .cancelled)
    }
}

/// One token, and no other after a while.
private final class OneToken: TokenProvider {
    let isAsked = OneShot<Void>()
    let mayAnswer = OneShot<Void>()

    func token() async throws -> AccessToken? { AccessToken("token") }

    func token(replacing rejected: AccessToken) async throws -> AccessToken? {
        isAsked.set(())
        await mayAnswer.value()
        return nil
    }
}

/// Tokens that are numbered, the next for each renewal.
private final class NumberedTokens: TokenProvider {
    private let number = Locked(1)

    func token() async throws -> AccessToken? { AccessToken("token-\(number.withLock { $0 })") }

    func token(replacing rejected: AccessToken) async throws -> AccessToken? {
        number.withLock { $0 += 1 }
        return try await token()
    }
}
