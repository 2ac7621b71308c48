import MartletEssentials
import MartletGraphQL
import MartletTesting
import Testing

@Suite("Batches", .timeLimit(.minutes(5)))
struct BatchTests {
    private struct Beats: Codable, Sendable, Equatable { var beats: UInt64 }
    private struct Read: Decodable, Sendable { var ok: Bool }

    private static let beats = GraphQLOperation<Beats>("{ beats }")
    private static let heroData = #"{"data":{"hero":{"name":"Swift"}}}"#

    private func isIllFormed(_ error: GraphQLError?) -> Bool { if case .http(.decodingFailed)? = error { true } else { false } }

    @Test("Operations of several types are sent in one request, and each has its own outcome")
    func several() async throws {
        let transport = MockTransport(
            .json(#"[\#(Self.heroData),{"data":{"beats":18446744073709551615}},{"data":{"rename":"Swift"},"extensions":{"cost":3}}]"#))
        let (hero, beats, renamed) = try await Wire.client(transport).batch(Wire.hero, Self.beats, Wire.rename)
        #expect(try hero.data().hero?.name == "Swift")
        #expect(try beats.data() == Beats(beats: .max))
        #expect(try renamed.data().rename == "Swift")
        #expect(try renamed.get().extensions == ["cost": 3] && renamed.get().http.status == .ok)
        let request = try #require(transport.requests.first)
        #expect(transport.requests.count == 1 && request.method == .post && request.headers[.contentType] == "application/json")
        #expect(request.json?.arrayValue?.map { $0["operationName"] } == ["Hero", nil, "Rename"])
        #expect(request.json?[0]?["variables"] == ["id": "1"] && request.json?[0]?["query"]?.stringValue == Wire.heroText)
    }

    @Test("Operations defined as types are sent in one request")
    func definitions() async throws {
        struct HeroQuery: GraphQLQuery {
            typealias Data = Wire.HeroData
            static let document: GraphQLDocument = "query Hero($id: ID!) { hero(id: $id) { name } }"
            var id: String
        }
        struct RenameMutation: GraphQLMutation {
            typealias Data = Wire.Renamed
            static let document: GraphQLDocument = "mutation { rename }"
        }
        let transport = MockTransport(.json(#"[\#(Self.heroData),{"data":{"rename":"A"}}]"#), .json("[\(Self.heroData)]"))
        let (hero, renamed) = try await Wire.client(transport).batch(HeroQuery(id: "1"), RenameMutation())
        #expect(try hero.data().hero?.name == "Swift")
        #expect(try renamed.data().rename == "A")
        let alone = try await Wire.client(transport).batch([HeroQuery(id: "1")])
        #expect(try alone.map { outcome in try outcome.data().hero?.name } == ["Swift"])
        #expect(transport.requests.last?.json?.arrayValue?.count == 1)
    }

    @Test("Errors and undecodable data of one operation do not affect the others")
    func apart() async throws {
        let transport = MockTransport(
            .json(#"[{"data":{"hero":{"name":7}}},null,{"errors":[{"message":"no"}],"data":null},7,{"data":{"hero":null}}]"#))
        let outcomes = try await Wire.client(transport).batch(Array(repeating: Wire.hero, count: 5))
        for index in [0, 1, 3] {
            let error = #expect(throws: GraphQLError.self) { try outcomes[index].data() }
            #expect(isIllFormed(error))
        }
        let error = #expect(throws: GraphQLError.self) { try outcomes[2].data() }
        #expect(error == .response([GraphQLResponseError(message: "no")]) && error?.errors.first?.operationName == "Hero")
        #expect(try outcomes[4].data() == Wire.HeroData(hero: nil))
    }

    @Test(
        "A response with the wrong number of elements, or of the wrong kind, fails the whole batch",
        arguments: [
            "[]", "[\(heroData)]", "[\(heroData),\(heroData),\(heroData)]", heroData, "null", "7", "[\(heroData),{\"da", "", "{}",
        ])
    func illFormed(body: String) async {
        let client = Wire.client(MockTransport(.data(Data(body.utf8), contentType: "application/json")))
        let error = await #expect(throws: GraphQLError.self) { try await client.batch([Wire.hero, Wire.hero]) }
        if body.isEmpty {
            guard case .http(.noData)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        } else {
            #expect(isIllFormed(error), "\(String(describing: error))")
        }
    }

    @Test("A batch rejected as a whole throws the server's errors or its status")
    func refused() async {
        let text = #"{"errors":[{"message":"batching is off"}]}"#
        for status in [200, 400] as [HTTPStatus] {
            let error = await #expect(throws: GraphQLError.self) {
                try await Wire.client(MockTransport(.json(text, status: status))).batch([Wire.hero, Wire.hero])
            }
            #expect(error == .response([GraphQLResponseError(message: "batching is off")]))
        }
        let client = Wire.client(MockTransport(.text("Too many operations", status: 400)))
        let error = await #expect(throws: GraphQLError.self) { try await client.batch([Wire.hero]) }
        #expect(error?.response?.status == .badRequest)
    }

    @Test("An error status with an array of GraphQL responses is read as responses")
    func errorStatus() async throws {
        let client = Wire.client(MockTransport(.json("[\(Wire.refused)]", status: 400), .json("[\(Self.heroData)]", status: 502)))
        let outcomes = try await client.batch([Wire.hero])
        #expect(try outcomes[0].get().result.errors.count == 1)
        let error = await #expect(throws: GraphQLError.self) { try await client.batch([Wire.hero]) }
        #expect(error?.response?.status == 502)
    }

    @Test("An empty batch and a batch beyond the limit are not sent")
    func limits() async throws {
        let transport = MockTransport()
        let none = try await Wire.client(transport).batch([GraphQLOperation<Beats>]())
        #expect(none.isEmpty)
        let error = await #expect(throws: GraphQLError.self) {
            try await Wire.client(transport).batch(Array(repeating: Self.beats, count: 51))
        }
        guard case .invalidOperation? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let small = Wire.client(transport, configuration: .init(maxBatchSize: 1))
        await #expect(throws: GraphQLError.self) { try await small.batch(Self.beats, Self.beats) }
        #expect(transport.requests.isEmpty)
    }

    @Test("An invalid operation fails the batch before it is sent")
    func invalid() async throws {
        let transport = MockTransport()
        let broken = GraphQLOperation<Beats>("{ beats")
        let error = await #expect(throws: GraphQLError.self) { try await Wire.client(transport).batch(Self.beats, broken) }
        guard case .invalidDocument? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let subscription = GraphQLOperation<Beats>("subscription { beats }")
        await #expect(throws: GraphQLError.self) { try await Wire.client(transport).batch(Self.beats, subscription) }
        let byGET = GraphQLCallOptions(sendsQueriesByGET: true)
        await #expect(throws: GraphQLError.self) { try await Wire.client(transport).batch(Self.beats, Self.beats, options: byGET) }
        #expect(transport.requests.isEmpty)
    }

    @Test("The paths of uploads begin with the index of their operation")
    func uploads() async throws {
        let transport = MockTransport(.json(#"[{"data":{"ok":true}},{"data":{"ok":true}},{"data":{"beats":1}}]"#))
        let file = GraphQLUpload(data: Data("x".utf8), filename: "x"), other = GraphQLUpload(data: Data("y".utf8), filename: "y")
        let first = GraphQLOperation<Read>("mutation ($f: Upload!) { ok }", variables: ["f": .upload(file)])
        let second = GraphQLOperation<Read>("mutation ($f: [Upload!]) { ok }", variables: ["f": [.upload(file), .upload(other)]])
        _ = try await Wire.client(transport).batch(first, second, Self.beats)
        let body = try #require(transport.requests.first?.text)
        #expect(body.contains(#"{"0":["0.variables.f","1.variables.f.0"],"1":["1.variables.f.1"]}"#))
    }

    @Test("A batch of queries is idempotent, and a batch with a mutation is not")
    func idempotency() async throws {
        let transport = MockTransport(.json("[\(Self.heroData),\(Self.heroData)]"), .json(#"[\#(Self.heroData),{"data":{"rename":null}}]"#))
        _ = try await Wire.client(transport).batch(Wire.hero, Wire.hero)
        _ = try await Wire.client(transport).batch(Wire.hero, Wire.rename)
        #expect(transport.requests.map(\.isIdempotent) == [true, false])
    }

    @Test("Fifty operations of several kinds keep their order")
    func many() async throws {
        let elements = (0..<50).map { #"{"data":{"beats":\#($0)}}"# }.joined(separator: ",")
        let outcomes = try await Wire.client(MockTransport(.json("[\(elements)]"))).batch(Array(repeating: Self.beats, count: 50))
        #expect(try outcomes.map { outcome in try outcome.data().beats } == Array(0..<50))
    }
}
