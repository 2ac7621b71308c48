import Foundation
import Martlet
import MartletGraphQL
import Testing

/// Subscribes to strawberry over each of its HTTP stream formats.
@Suite("Strawberry: subscriptions", .timeLimit(.minutes(1)))
struct StrawberrySubscriptionTests {
    enum Way: CaseIterable, Sendable {
        case serverSentEvents, multipart

        var options: GraphQLSubscriptionOptions {
            let reconnection = EventReconnection(reconnects: true, delay: .milliseconds(10), minDelay: .zero, maxFailures: 3)
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

    @Test("Values arrive in order, and the subscription ends with the server's stream without another request", arguments: Way.allCases)
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

    @Test("Heartbeats are signals but not values", arguments: Way.allCases)
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

    @Test("A value with data and errors is a partial result, and the subscription continues", arguments: Way.allCases)
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

    @Test("A failing or invalid subscription delivers the errors and ends", arguments: Way.allCases)
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

    @Test("The client reconnects after a broken connection, and the values continue", arguments: Way.allCases)
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

    @Test("Without reconnection, a broken connection throws after the values received so far", arguments: Way.allCases)
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

    @Test("An unreachable server is an error after the maximum number of attempts", arguments: Way.allCases)
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

    @Test("Ending the loop or cancelling the task closes each of forty subscriptions at the server", arguments: Way.allCases)
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
        Issue.record("the server still has open streams after 5 s")
    }

    @Test("The client reconnects after the idle timeout", arguments: Way.allCases)
    func idle(_ way: Way) async throws {
        let server = try Strawberry()
        let client = server.client { configuration in
            configuration.subscriptions = way.options
            configuration.subscriptions.idleTimeout = .seconds(1)
            // On a slow machine a response may not begin within a second, so failures are unlimited.
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

    @Test("An HTML page and a 404 in place of a stream are HTTP errors", arguments: Way.allCases)
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

    /// A provider whose first token the server rejects.
    private actor Feathers: TokenProvider {
        private(set) var renewals = 0

        func token() -> AccessToken? { AccessToken(renewals == 0 ? "worn" : "feather") }

        func token(replacing rejected: AccessToken) -> AccessToken? {
            renewals += 1
            return AccessToken("feather")
        }
    }

    @Test("A subscription rejected with UNAUTHENTICATED is repeated with a renewed token", arguments: Way.allCases)
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
