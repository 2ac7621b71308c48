import Foundation
import Martlet
import TestSupport

@testable import MartletGraphQL
@testable import MartletTesting

/// The data of the subscriptions in these tests.
struct Count: Codable, Sendable, Equatable {
    let count: Int
}

struct Counting: GraphQLSubscription {
    typealias Data = Count
    static let document: GraphQLDocument = "subscription Counting($to: Int) { count(to: $to) }"
    var to: Int?
}

/// A client over a mock transport with manual time and without randomness.
struct SubscriptionBench {
    let time = ManualTime()

    private struct NoChance: RandomSource {
        func next() -> UInt64 { 0 }
    }

    func options(
        _ transport: any SubscriptionTransport = .serverSentEvents, _ change: (inout GraphQLSubscriptionOptions) -> Void = { _ in }
    ) -> GraphQLSubscriptionOptions {
        var options = GraphQLSubscriptionOptions(transport: transport)
        change(&options)
        return options
    }

    func client(
        _ transport: any Transport, options: GraphQLSubscriptionOptions? = nil, interceptors: [any Interceptor] = []
    ) -> GraphQLClient {
        let http = HTTPClient(
            baseURL: URL(string: "https://api.example/"), transport: transport, interceptors: interceptors,
            configuration: .init(totalTimeout: nil), time: time, random: NoChance())
        return GraphQLClient(http, configuration: .init(subscriptions: options ?? self.options()))
    }

    /// Returns all results of a subscription to these replies.
    func results(
        _ replies: MockReply..., options: GraphQLSubscriptionOptions? = nil, call: GraphQLCallOptions = GraphQLCallOptions()
    ) async -> Outcome {
        await Outcome(client(MockTransport(replies: replies), options: options).subscribe(Counting(), options: call))
    }
}

/// The results of a subscription, and the error that ended it.
struct Outcome: Sendable {
    var counts: [Int?] = []
    var errors: [[String]] = []
    var error: GraphQLError?

    init(_ sequence: GraphQLSubscriptionSequence<Count, GraphQLError>) async {
        var iterator = sequence.makeAsyncIterator()
        do throws(GraphQLError) {
            while let result = try await iterator.next() {
                counts.append(result.data?.count)
                errors.append(result.errors.map(\.message))
            }
        } catch { self.error = error }
    }
}

extension MockReply {
    /// An event stream in these chunks.
    static func events(_ pieces: String..., type: String = "text/event-stream") -> MockReply {
        .stream(pieces.map { Data($0.utf8) }, headers: [.contentType: type])
    }

    /// An event stream whose body the test sends.
    static func events(_ body: SentBody) -> MockReply {
        .stream(headers: [.contentType: "text/event-stream"]) { HTTPBody(reader: body) }
    }

    /// A `next` event for each number.
    static func counting(_ numbers: Int..., completing: Bool = true) -> MockReply {
        let events = numbers.map { "event: next\ndata: {\"data\":{\"count\":\($0)}}\n\n" }
        return .stream((events + [completing ? complete : ""]).map { Data($0.utf8) }, headers: [.contentType: "text/event-stream"])
    }

    static let complete = "event: complete\ndata:\n\n"
}
