import Foundation
import Martlet
import MartletSystem
import TestSupport
import Testing

@testable import MartletGraphQL
@testable import MartletTesting

@Suite("Subscriptions with rejected credentials", .timeLimit(.minutes(5)))
struct SubscriptionCredentialTests {
    private let bench = SubscriptionBench()
    private static let refusal = #"{"data":null,"errors":[{"message":"who?","extensions":{"code":"UNAUTHENTICATED"}}]}"#
    private static let refused = GraphQLError.response([GraphQLResponseError(message: "who?", code: "UNAUTHENTICATED")])

    /// Runs a subscription whose credential is renewed by `renew`. Returns the outcome and the numbers of renewals and requests.
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
                    post: GraphQLEndpoint([operation], target: client.target, headers: [:], timeout: nil, options: CallOptions()),
                    owner: client.shared, scope: nil)
            },
            renew: { response async throws(GraphQLError) in
                renewals.withLock { $0 += 1 }
                return try await renew(response)
            }, options: bench.options(), policy: .all, time: bench.time, random: client.client.random, decoder: .json)
        let outcome = await Outcome(GraphQLSubscriptionSequence<Count, GraphQLError>(target))
        return (outcome, renewals.withLock { $0 }, transport.requests.count)
    }

    @Test("A rejected credential is renewed once and a new connection is opened immediately, whatever form the rejection has")
    func renewed() async {
        for refusal in [MockReply.json(Self.refusal), .json(Self.refusal, status: 400), .events("event: next\ndata: \(Self.refusal)\n\n")] {
            let (outcome, renewals, requests) = await outcome(refusal, .counting(1))
            #expect(outcome.counts == [1] && outcome.error == nil && renewals == 1 && requests == 2)
        }
        #expect(bench.time.sleeps == [])
    }

    @Test("A credential that is rejected again is not renewed: the errors are thrown, or delivered as a result")
    func refusedAgain() async {
        let thrown = await outcome(.json(Self.refusal), .json(Self.refusal), .counting(1))
        #expect(thrown.outcome.error == Self.refused && thrown.renewals == 1 && thrown.requests == 2)
        let given = await outcome(.json(Self.refusal), .events("event: next\ndata: \(Self.refusal)\n\n\(MockReply.complete)"))
        #expect(given.outcome.errors == [["who?"]] && given.outcome.error == nil && given.renewals == 1)
    }

    @Test("A server that rejects every credential and closes does not cause endless renewals")
    func refusedForEver() async {
        let refusal = MockReply.events("event: next\ndata: \(Self.refusal)\n\n")
        let (outcome, renewals, _) = await outcome(refusal, refusal, refusal, .counting(1))
        #expect(outcome.errors == [["who?"], ["who?"], []] && outcome.error == nil && renewals == 1)
    }

    @Test("Without another credential no connection is opened, and a failed renewal is thrown")
    func noOther() async {
        let none = await outcome(.json(Self.refusal)) { _ in false }
        #expect(none.outcome.error == Self.refused && none.requests == 1)
        let failed = await outcome(.json(Self.refusal)) { _ async throws(GraphQLError) in throw .http(.authenticationFailed("gone")) }
        #expect(failed.outcome.error == .http(.authenticationFailed("gone")))
    }

    @Test("A result allows another renewal, and a rejection in the middle of a connection is an ordinary result")
    func later() async {
        let first = "event: next\ndata: {\"data\":{\"count\":1}}\n\n"
        let outcome = await outcome(
            .json(Self.refusal), .events(first), .json(Self.refusal),
            .events(first, "event: next\ndata: \(Self.refusal)\n\n", MockReply.complete))
        #expect(outcome.outcome.counts == [1, 1, nil] && outcome.renewals == 2 && outcome.outcome.error == nil)
    }

    @Test("An AuthInterceptor renews the client's token, whether it is rejected before the stream or in it")
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

/// One token that cannot be renewed after a delay.
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

/// Numbered tokens. Each renewal returns the next number.
private final class NumberedTokens: TokenProvider {
    private let number = Locked(1)

    func token() async throws -> AccessToken? { AccessToken("token-\(number.withLock { $0 })") }

    func token(replacing rejected: AccessToken) async throws -> AccessToken? {
        number.withLock { $0 += 1 }
        return try await token()
    }
}
