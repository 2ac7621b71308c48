import MartletEssentials
import MartletGraphQL
import MartletSystem
import MartletTesting
import Testing

@Suite("Persisted queries: servers without support for hashes", .timeLimit(.minutes(5)))
struct PersistedFallbackTests {
    private static let renamed = #"{"data":{"rename":"A"}}"#
    private static let request = #"{"errors":[{"message":"Must provide query string."}]}"#

    private let time = ManualTime()

    /// Creates a client whose server responds to hashes with `refusal` and to texts with data.
    private func stage(
        pause: Duration? = nil, data: MockReply? = nil, refusal: @escaping @Sendable () -> MockReply
    ) -> (client: GraphQLClient, transport: MockTransport) {
        let transport = MockTransport(time: time) { request in
            if request.json?["query"] == nil { return refusal() }
            return data ?? .json(request.text?.contains("mutation") == true ? Self.renamed : Wire.swift)
        }
        let queries = pause.map { PersistedQueries.automatic(pause: $0) } ?? .automatic()
        return (Wire.client(transport, time: time, configuration: .init(persistedQueries: queries)), transport)
    }

    private func sendsText(_ transport: MockTransport) -> [Bool] { transport.requests.map { $0.json?["query"] != nil } }

    @Test("After a 400, texts are sent for an hour; then a query tries the hash again")
    func remembered() async throws {
        let (client, transport) = stage { .data(Data("The query must be a string.".utf8), contentType: "text/plain", status: 400) }
        for _ in 0..<3 { #expect(try await client.execute(Wire.hero).hero?.name == "Swift") }
        #expect(sendsText(transport) == [false, true, true, true])
        time.advance(by: .seconds(3_599))
        _ = try await client.execute(Wire.hero)
        time.advance(by: .seconds(1))
        // A mutation does not try the hash.
        _ = try await client.execute(Wire.rename)
        _ = try await client.execute(Wire.hero)
        #expect(sendsText(transport) == [false, true, true, true, true, true, false, true])
    }

    @Test("The time for which texts are sent can be configured")
    func pause() async throws {
        let (client, transport) = stage(pause: .seconds(10)) { .json(Self.request) }
        _ = try await client.execute(Wire.hero)
        time.advance(by: .seconds(10))
        _ = try await client.execute(Wire.hero)
        #expect(sendsText(transport) == [false, true, false, true])
    }

    @Test("If the text fails too, the caller receives the error, and support for hashes stays unknown")
    func failing() async throws {
        let (client, transport) = stage(data: .json(Self.request, status: 400)) { .json(Self.request, status: 400) }
        for _ in 0..<2 { await #expect(throws: GraphQLError.self) { try await client.execute(Wire.hero) } }
        #expect(sendsText(transport) == [false, true, false, true])
    }

    @Test("A mutation refused with 400 is sent once by its text")
    func mutation() async throws {
        let (client, transport) = stage { .json(Self.request, status: 400) }
        for _ in 0..<2 { #expect(try await client.execute(Wire.rename).rename == "A") }
        #expect(sendsText(transport) == [false, true, true])
    }

    @Test("A mutation that may have been executed is not sent again, and the next one is sent by its text")
    func executed() async throws {
        for body in [Self.request, #"{"data":null,"errors":[{"message":"m"}]}"#] {
            let (client, transport) = stage { .json(body) }
            await #expect(throws: GraphQLError.self) { try await client.execute(Wire.rename) }
            #expect(sendsText(transport) == [false])
            #expect(try await client.execute(Wire.rename).rename == "A")
            #expect(sendsText(transport) == [false, true])
        }
    }

    @Test("After a server has shown support for hashes, its errors are the operation's")
    func confirmed() async throws {
        let isFailing = Locked(false)
        let (client, transport) = stage { .json(isFailing.withLock { $0 } ? Self.request : Wire.swift) }
        _ = try await client.execute(Wire.hero)
        isFailing.withLock { $0 = true }
        await #expect(throws: GraphQLError.self) { try await client.execute(Wire.hero) }
        #expect(sendsText(transport) == [false, false])
    }
}
