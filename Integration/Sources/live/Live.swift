import Foundation
import Martlet
import MartletGraphQL

/// Sends operations to strawberry and ariadne, as types that Integration/graphql/live.py has generated from the schemas of these servers.
///
/// The ports are MARTLET_STRAWBERRY_PORT and MARTLET_SOCKETGRAPHQL_PORT. Exits with 1 if a response is not the expected one.
@main
struct Live {
    private var count = 0
    private var failures = 0

    static func main() async throws {
        var live = Live()
        try await live.strawberry()
        try await live.ariadne()
        print("\(live.count) checks, \(live.failures) failures")
        if live.failures > 0 { exit(1) }
    }

    private mutating func expect(_ condition: Bool, _ what: @autoclosure () -> String) {
        count += 1
        if condition { return }
        failures += 1
        print("failed: \(what())")
    }

    /// Returns a client for a server, whose subscriptions use a WebSocket.
    private func client(_ port: String, _ path: Path) -> GraphQLClient {
        let number = ProcessInfo.processInfo.environment["MARTLET_\(port)_PORT"] ?? ""
        guard let url = URL(string: "http://127.0.0.1:\(number)") else { fatalError("the port \(port) is missing") }
        let subscriptions = GraphQLSubscriptionOptions(transport: WebSocketSubscriptionTransport())
        return GraphQLClient(HTTPClient(baseURL: url), path: path, configuration: .init(subscriptions: subscriptions))
    }

    // MARK: strawberry

    private mutating func strawberry() async throws {
        let client = client("STRAWBERRY", "graphql")
        try await heroes(client)
        try await renames(client)

        let secret = try await client.result(of: NestQuery(id: "1"))
        if case .partial(let data, let errors) = secret {
            expect(data.hero == .init(name: "Swift", nest: nil), "\(data)")
            expect(errors.map(\.code) == ["FORBIDDEN"] && errors.first?.path == ["hero", "nest"], "\(errors)")
        } else {
            expect(false, "not partial: \(secret)")
        }

        let socket = self.client("STRAWBERRY", "socket")
        var names: [String] = []
        for try await result in socket.subscribe(HeroSightingsSubscription()) { names.append(try result.get().sightings.name) }
        expect(names == ["Swift", "Martlet", "Auk"], "\(names)")
        var numbers: [Int?] = [], codes: [String?] = []
        for try await result in socket.subscribe(RaisesSubscription(after: 2)) {
            numbers.append(result.data?.raises)
            codes += result.errors.map(\.code)
        }
        expect(numbers.prefix(2) == [1, 2] && codes == ["MIDDLE"], "\(numbers) \(codes)")
    }

    private mutating func heroes(_ client: GraphQLClient) async throws {
        let ringed = Date(timeIntervalSince1970: 1_778_985_000.25)
        let search = Search(species: .auk, ringedBefore: ringed + 1, heavierThan: .value(.init(Decimal(1))), limit: 5)
        let found = try await client.execute(FindHeroesQuery(search: search)).search
        let auk = HeroFields(
            id: "3", name: "Auk", species: .known(.auk), flown: "170141183460469231731687303715884105727", beats: .max)
        if case .hero(let hero) = found.first {
            expect(hero.heroFields == auk && hero.ringed == ringed, "\(hero)")
            expect(hero.weight.value == Decimal(string: "12345678901234567890.123456789"), "\(hero.weight)")
        } else {
            expect(false, "no hero: \(found)")
        }
        if case .bird(let bird) = found.last { expect(bird.name == "bird 7", "\(bird)") } else { expect(false, "no bird: \(found)") }
        expect(found.count == 2, "\(found)")
        let none = try await client.execute(FindHeroesQuery(search: Search(species: .swift, ringedBefore: ringed, limit: 0))).search
        expect(none.isEmpty, "\(none)")

        let hero = try await client.execute(HeroQuery(id: "1", withMate: true)).hero
        expect(hero?.mate?.name == "Martlet" && hero?.heroFields.species == .known(.swift), "\(String(describing: hero))")
        let alone = try await client.execute(HeroQuery(id: "1", withMate: false)).hero
        expect(alone != nil && alone?.mate == nil, "\(String(describing: alone))")
        let nobody = try await client.execute(HeroQuery(id: "nobody", withMate: false)).hero
        expect(nobody == nil, "\(String(describing: nobody))")
        let all = try await client.execute(HeroesQuery()).heroes, some = try await client.execute(HeroesQuery(species: [.auk])).heroes
        expect(all.count == 3 && some.map(\.name) == ["Auk"], "\(all) \(some)")
        let sum = SumQuery(flown: "10", beats: 41, weight: .init(Decimal(string: "0.10") ?? 0), ringed: ringed)
        // A Date is sent without the fraction of the second.
        let text = try await client.execute(sum).sum
        expect(text == "11 42 0.1 2026-05-17T02:30:00+00:00", text)
    }

    private mutating func renames(_ client: GraphQLClient) async throws {
        let names: [(Rename, String)] = [
            (Rename(id: "1"), "left alone"), (Rename(id: "1", name: .null), "cleared"),
            (Rename(id: "1", name: "Apus", species: .value(.swift)), "1 is Apus"),
        ]
        for (bird, expected) in names {
            let text = try await client.execute(RenameMutation(bird: bird)).rename
            expect(text == expected, "\(bird): \(text)")
        }
        let refused = try await client.result(of: RenameMutation(bird: Rename(id: "1", name: "")))
        expect(refused.data == nil && refused.errors.map(\.code) == ["BAD_USER_INPUT"], "\(refused)")
    }

    // MARK: ariadne

    private mutating func ariadne() async throws {
        let client = client("SOCKETGRAPHQL", "ariadne/new")
        var filter = SightingFilter(habitats: [.oldCliff, .sea], since: "2026-05-01")
        let found = try await client.execute(SightingsQuery(filter: filter)).sightings
        expect(found.map(\.animal.name) == ["Gannet", "Cod"] && found.map(\.note) == ["two eggs", nil], "\(found)")
        expect(found.map(\.habitat) == [.known(.oldCliff), .known(.sea)] && found.map(\.day) == ["2026-05-01", "2026-05-03"], "\(found)")
        expect(found.first?.animal.variant == .bird(.init(wingspan: 1.75, mate: .init(name: "Gannet's mate"))), "\(found)")
        expect(found.last?.animal.variant == .fish(.init(depth: 200)), "\(found)")
        // Null and a missing field are different.
        filter.note = .null
        let silent = try await client.execute(SightingsQuery(filter: filter)).sightings
        expect(silent.map(\.animal.name) == ["Cod"], "\(silent)")
        let swift = try await client.execute(AnimalQuery(id: "2")).animal
        expect(swift?.variant == .bird(.init(wingspan: nil, mate: nil)), "\(String(describing: swift))")
        let nothing = try await client.execute(AnimalQuery(id: "9")).animal
        expect(nothing == nil, "\(String(describing: nothing))")

        let secret = try await client.result(of: SecretQuery(id: "1"))
        if case .partial(let data, let errors) = secret {
            expect(data == .init(count: 42, nest: nil) && errors.map(\.code) == ["FORBIDDEN"], "\(secret)")
        } else {
            expect(false, "not partial: \(secret)")
        }
        let input = SightingInput(animal: "3", habitat: .sea, day: "2026-06-01", note: .value("deep"))
        let report = try await client.execute(ReportMutation(sighting: input)).report
        expect(report.animal.name == "Cod" && report.day == "2026-06-01" && report.note == "deep", "\(report)")

        try await sightings(client)
    }

    private mutating func sightings(_ client: GraphQLClient) async throws {
        for (habitat, expected) in [(nil, ["Gannet", "Swift", "Cod"]), (.city, ["Swift"])] as [(Habitat?, [String])] {
            var names: [String] = []
            for try await result in client.subscribe(SightedSubscription(habitat: habitat)) {
                names.append(try result.get().sighted.animal.name)
            }
            expect(names == expected, "\(names)")
        }
        var numbers: [Int] = [], messages: [String] = []
        do {
            for try await result in client.subscribe(FailsSubscription()) {
                numbers += [result.data?.fails].compactMap(\.self)
                messages += result.errors.map(\.message)
            }
        } catch {
            guard case .response(let errors) = error else { throw error }
            messages += errors.map(\.message)
        }
        expect(numbers == [1] && messages.count == 1, "\(numbers) \(messages)")
    }
}
