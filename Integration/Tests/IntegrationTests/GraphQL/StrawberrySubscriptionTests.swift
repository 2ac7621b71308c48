import Foundation
import Martlet
import MartletGraphQL
import Testing

/// Subscriptions of strawberry, over each kind of stream it has for HTTP.
@Suite("Strawberry: subscriptions", .timeLimit(.minutes(1)))
struct StrawberrySubscriptionTests {
    enum Way: CaseIterable, Sendable {
        case serverSentEvents, multipart

        var options: GraphQLSubscriptionOptions {
            let reconnection = EventReconnection(rule: .always, delay: .milliseconds(10), minDelay: .zero, maxFailures: 3)
            return switch self {
            case .serverSentEvents: GraphQLSubscriptionOptions(transport: .serverSentEvents, reconnection: reconnection)
            case .multipart: GraphQLSubscriptionOptions(transport: .multipart, reconnection: reconnection)
            }
        }
    }

    private typealias Numbers = [String: Int]

    private func client(_ server: Strawberry, _ way: Way, _ path: Path = "graphql") -> GraphQLClient {
        server.client(path) { $0.subscriptions = way.options }
    }

    @Test("Values come in their order, and the server's end is the end: nothing is asked again", arguments: Way.allCases)
    func counts(_ way: Way) async throws {
        struct Count: GraphQLSubscription {
            struct Data: Decodable, Sendable { let count: Int }
            static let document: GraphQLDocument = "subscription Count($to: Int!) { count(to: $to, every: 0) }"
            let to: Int
        }
        let server = try Strawberry()
        var numbers: [Int] = []
        for try await result in client(server, way).subscribe(Count(to: 200)) { numbers.append(try result.get().count) }
        #expect(numbers == Array(1...200))
        #expect(try await server.served().requests == 1)
    }

    @Test("Heartbeats are signs of life and no values", arguments: Way.allCases)
    func heartbeats(_ way: Way) async throws {
        let operation = GraphQLOperation<Numbers>("subscription Slow { count(to: 3, every: 0.1) }")
        var signals: [String] = []
        for try await signal in client(try Strawberry(), way, "beating").subscribe(operation).signals {
            switch signal {
            case .connecting(let number): signals.append("connecting \(number)")
            case .open(let head): signals.append("open \(head?.status == .ok)")
            case .result(let result): signals.append("\(try result.get()["count"] ?? 0)")
            case .heartbeat: if signals.last != "heartbeat" { signals.append("heartbeat") }
            default: signals.append("\(signal)")
            }
        }
        let firstBeat = signals.dropFirst(2).first == "heartbeat" ? ["heartbeat"] : []
        #expect(signals == ["connecting 1", "open true"] + firstBeat + ["1", "heartbeat", "2", "heartbeat", "3", "heartbeat"])
    }

    @Test("A value with errors beside its data is a partial result, and the subscription goes on", arguments: Way.allCases)
    func partial(_ way: Way) async throws {
        struct Sighting: Decodable, Sendable {
            struct Bird: Decodable, Sendable {
                let name: String
                let nest: String?
                let beats: UInt64
            }
            let sightings: Bird
        }
        let operation = GraphQLOperation<Sighting>("subscription Sightings { sightings { name nest beats } }")
        var names: [String] = []
        for try await result in client(try Strawberry(), way).subscribe(operation) {
            guard case .partial(let data, let errors) = result else {
                Issue.record("\(result)")
                continue
            }
            #expect(errors.map(\.code) == ["FORBIDDEN"] && errors.first?.path == ["sightings", "nest"] && data.sightings.beats == .max)
            names.append(data.sightings.name)
        }
        #expect(names == ["Swift", "Martlet", "Auk"])
    }

    @Test("A subscription that fails in the middle, and one that is not valid, give the errors and end", arguments: Way.allCases)
    func failures(_ way: Way) async throws {
        let server = try Strawberry()
        func results(_ document: GraphQLDocument) async throws -> [GraphQLResult<Numbers>] {
            var results: [GraphQLResult<Numbers>] = []
            for try await result in client(server, way).subscribe(GraphQLOperation<Numbers>(document)) { results.append(result) }
            return results
        }
        let raised = try await results("subscription Raises { raises(after: 2) }")
        #expect(raised.map { $0.data?["raises"] } == [1, 2, nil] && raised.last?.errors.map(\.code) == ["MIDDLE"])
        let invalid = try await results("subscription Invalid { nope }")
        #expect(invalid.count == 1 && invalid.first?.data == nil && invalid.first?.errors.count == 1)
        #expect(try await server.served().requests == 2)
    }

    @Test("A server that dies in the middle is asked again, and the values go on", arguments: Way.allCases)
    func drops(_ way: Way) async throws {
        let server = try Strawberry()
        let operation = GraphQLOperation<Numbers>(
            "subscription Drops($session: String!) { drops(session: $session, times: 3) }", variables: ["session": .string(server.session)])
        var numbers: [Int?] = [], reconnections = 0
        for try await signal in client(server, way).subscribe(operation).signals {
            switch signal {
            case .result(let result): numbers.append(try result.get()["drops"])
            case .reconnecting: reconnections += 1
            default: break
            }
        }
        #expect(numbers == Array(1...8) && reconnections == 3)
        #expect(try await server.served().requests == 4)
    }

    @Test("Without reconnection, the death of the server is thrown after what it gave", arguments: Way.allCases)
    func dies(_ way: Way) async throws {
        let server = try Strawberry()
        let client = server.client { configuration in
            configuration.subscriptions = way.options
            configuration.subscriptions.reconnection = .never
        }
        let operation = GraphQLOperation<Numbers>(
            "subscription Drops($session: String!) { drops(session: $session) }", variables: ["session": .string(server.session)])
        var numbers: [Int?] = []
        let error = await #expect(throws: GraphQLError.self) {
            for try await result in client.subscribe(operation) { numbers.append(try result.get()["drops"]) }
        }
        #expect(numbers == [1, 2] && error?.httpError != nil)
        #expect(try await server.served().requests == 1)
    }

    @Test("A server that is gone is asked again as often as may be, and then it is an error", arguments: Way.allCases)
    func gone(_ way: Way) async throws {
        let client = GraphQLClient(
            HTTPClient(baseURL: URL(string: "http://127.0.0.1:1")), configuration: .init(subscriptions: way.options))
        var connections = 0
        let error = await #expect(throws: GraphQLError.self) {
            for try await signal in client.subscribe(GraphQLOperation<Numbers>("subscription Count { count(to: 1) }")).signals {
                if case .connecting(let number) = signal { connections = number }
            }
        }
        #expect(connections == 3)
        guard case .http(.networkError)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("Forty subscriptions, half of them left and half cancelled, are all closed at the server", arguments: Way.allCases)
    func closing(_ way: Way) async throws {
        let server = try Strawberry()
        let client = client(server, way)
        let operation = GraphQLOperation<[String: String]>(
            "subscription Silent($session: String!) { silent(session: $session) }", variables: ["session": .string(server.session)])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask {
                    let task = Task {
                        for try await result in client.subscribe(operation) {
                            #expect(result.data == ["silent": "here"])
                            if number.isMultiple(of: 2) { return }
                            withUnsafeCurrentTask { $0?.cancel() }
                        }
                    }
                    guard !number.isMultiple(of: 2) else { return try await task.value }
                    await #expect(throws: GraphQLError.http(.cancelled)) { try await task.value }
                }
            }
            try await group.waitForAll()
        }
        for _ in 0..<500 {
            if try await server.served().openStreams == 0 { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        Issue.record("streams are open after 5 s")
    }

    @Test("A connection that is silent for too long is made again", arguments: Way.allCases)
    func idle(_ way: Way) async throws {
        let server = try Strawberry()
        let client = server.client { configuration in
            configuration.subscriptions = way.options
            configuration.subscriptions.idleTimeout = .seconds(1)
            // Where the machine is so slow that an answer does not begin within a second.
            configuration.subscriptions.reconnection.maxFailures = nil
        }
        let operation = GraphQLOperation<[String: String]>(
            "subscription Silent($session: String!) { silent(session: $session) }", variables: ["session": .string(server.session)])
        var count = 0
        for try await _ in client.subscribe(operation) {
            count += 1
            if count == 2 { break }
        }
        #expect(try await server.served().requests >= 2)
    }

    @Test("A page in place of a stream, and a route that is not there, are errors of HTTP with the body", arguments: Way.allCases)
    func pages(_ way: Way) async throws {
        let server = try Strawberry()
        let operation = GraphQLOperation<Numbers>("subscription Count { count(to: 1) }")
        let page = await #expect(throws: GraphQLError.self) { for try await _ in client(server, way, "page").subscribe(operation) {} }
        #expect(page?.httpError?.response?.body == Data("<p>no graph</p>".utf8))
        let nowhere = client(server, way, "nowhere").subscribe(operation)
        let missing = await #expect(throws: GraphQLError.self) { for try await _ in nowhere {} }
        #expect(missing?.httpError?.status == .notFound)
        #expect(try await server.served().requests == 2)
    }

    /// The first token is refused by the server, the second is not.
    private actor Feathers: TokenProvider {
        private(set) var renewals = 0

        func token() -> AccessToken? { AccessToken(renewals == 0 ? "worn" : "feather") }

        func token(replacing rejected: AccessToken) -> AccessToken? {
            renewals += 1
            return AccessToken("feather")
        }
    }

    @Test("A subscription that is refused with UNAUTHENTICATED is made again with another token", arguments: Way.allCases)
    func renewal(_ way: Way) async throws {
        let feathers = Feathers()
        let server = try Strawberry(interceptors: [AuthInterceptor(feathers)])
        var values: [String?] = []
        let operation = GraphQLOperation<[String: String]>("subscription Private { private }")
        for try await result in client(server, way).subscribe(operation) { values.append(try result.get()["private"]) }
        #expect(values == ["welcome"])
        #expect(await feathers.renewals == 1)
        #expect(try await server.served().requests == 2)
    }
}
