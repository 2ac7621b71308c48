import Martlet
import MartletGraphQL
import Testing

/// Tests `@defer` and `@stream` as graphql-core implements them, in the format with `pending`, `incremental` and `completed`.
@Suite("Strawberry: incremental delivery", .timeLimit(.minutes(1)))
struct StrawberryIncrementalTests {
    private final class Hero: Decodable, Sendable {
        let id: String?
        let name: String?
        let song: String?
        let nest: String?
        let flights: [String]?
        let mate: Hero?

        /// The received fields in one line.
        var line: String {
            let own = [id, name, song, flights?.joined(separator: ",")].compactMap(\.self)
            return (own + (mate.map { ["(\($0.line))"] } ?? [])).joined(separator: " ")
        }
    }

    private struct HeroData: Decodable, Sendable { let hero: Hero }

    private typealias Update = GraphQLUpdate<HeroData>

    private func updates(_ document: GraphQLDocument) async throws -> [Update] {
        var updates: [Update] = []
        for try await update in try Strawberry().client().updates(GraphQLOperation<HeroData>(document)) { updates.append(update) }
        return updates
    }

    /// Whether `hasNext` is false for the last update only.
    private func isInOrder(_ updates: [Update]) -> Bool { updates.map(\.hasNext) == updates.indices.map { $0 < updates.count - 1 } }

    @Test("A deferred fragment arrives after the other data")
    func deferred() async throws {
        let updates = try await updates("{ hero(id: \"1\") { id ... @defer(label: \"slow\") { name song } } }")
        #expect(updates.map { $0.data?.hero.line } == ["1", "1 Swift the song of Swift"])
        #expect(isInOrder(updates) && updates.allSatisfy { $0.errors.isEmpty })
    }

    @Test("Nested deferred fragments and fragments that share an object are merged")
    func nested() async throws {
        let inner = try await updates(
            """
            { hero(id: "1") { ... @defer(label: "outer") { name mate { name ... @defer(label: "inner") { song } } } } }
            """)
        #expect(inner.map { $0.data?.hero.line } == ["", "Swift (Martlet)", "Swift (Martlet the song of Martlet)"])
        let shared = try await updates(
            """
            { hero(id: "1") { ... @defer(label: "fast") { name mate { id } } ... @defer(label: "late") { mate { id song(after: 0.1) } } } }
            """)
        #expect(shared.map { $0.data?.hero.line } == ["", "Swift (2)", "Swift (2 the song of Martlet)"])
        #expect(isInOrder(inner) && isInOrder(shared))
    }

    @Test("Deferred fragments of list items are merged into their items")
    func list() async throws {
        struct Birds: Decodable, Sendable { let heroes: [Hero] }
        var last: GraphQLUpdate<Birds>?
        let operation = GraphQLOperation<Birds>("query Birds { heroes { id ... @defer { song } } }")
        for try await update in try Strawberry().client().updates(operation) {
            #expect(update.data?.heroes.map(\.id) == ["1", "2", "3"])
            last = update
        }
        #expect(last?.data?.heroes.map(\.song) == ["the song of Swift", "the song of Martlet", "the song of Auk"])
    }

    @Test("A streamed list grows in order, a failed one keeps its items and reports the error, and an empty one ends")
    func streamed() async throws {
        let whole = try await updates("{ hero(id: \"1\") { flights(until: 5) @stream(initialCount: 1, label: \"f\") } }")
        #expect(whole.first?.data?.hero.flights == ["flight 0"])
        #expect(whole.last?.data?.hero.flights == (0..<5).map { "flight \($0)" })
        let counts = whole.map { $0.data?.hero.flights?.count ?? 0 }
        #expect(counts == counts.sorted() && isInOrder(whole))

        let broken = try await updates("{ hero(id: \"1\") { flights(until: 5, breaksAt: 3) @stream(initialCount: 1) } }")
        guard case .partial(let data, let errors)? = broken.last?.result else {
            Issue.record("\(String(describing: broken.last))")
            return
        }
        #expect(data.hero.flights == ["flight 0", "flight 1"] && errors.map(\.code) == ["LOST"])
        #expect(broken.first?.errors.isEmpty == true && isInOrder(broken))

        let none = try await updates("{ hero(id: \"1\") { flights(until: 0) @stream } }")
        #expect(none.last?.data?.hero.flights == [] && isInOrder(none))
    }

    @Test("Errors of the first payload, in a deferred fragment, and of a whole fragment are reported with the data")
    func errors() async throws {
        let first = try await updates("{ hero(id: \"1\") { name nest ... @defer { song } } }")
        #expect(first.map { $0.errors.map(\.code) } == [["FORBIDDEN"], ["FORBIDDEN"]])
        #expect(first.last?.data?.hero.line == "Swift the song of Swift")
        let inside = try await updates("{ hero(id: \"1\") { name ... @defer { nest song } } }")
        #expect(inside.map { $0.errors.map(\.code) } == [[], ["FORBIDDEN"]])
        #expect(inside.last?.data?.hero.line == "Swift the song of Swift" && inside.last?.errors.first?.path == ["hero", "nest"])
        let whole = try await updates("{ hero(id: \"1\") { name ... @defer { egg } } }")
        #expect(whole.map { $0.errors.map(\.code) } == [[], ["NOT_FOUND"]] && whole.last?.data?.hero.line == "Swift")
        #expect(isInOrder(first) && isInOrder(inside) && isInOrder(whole))
    }

    @Test("A response without deferred parts is a single update")
    func whole() async throws {
        let now = try await updates("{ hero(id: \"1\") { name ... @defer(if: false) { song } } }")
        #expect(now.map { $0.data?.hero.line } == ["Swift the song of Swift"] && isInOrder(now))
        let plain = try await updates("{ hero(id: \"2\") { name } }")
        #expect(plain.map { $0.data?.hero.line } == ["Martlet"] && isInOrder(plain))
        let invalid = try await updates("{ hero(id: \"2\") { nope ... @defer { song } } }")
        #expect(invalid.count == 1 && invalid.first?.data == nil && invalid.first?.errors.count == 1)
    }

    @Test("The client stays usable after the loop ends early")
    func left() async throws {
        let client = try Strawberry().client()
        let slow = GraphQLOperation<HeroData>("{ hero(id: \"1\") { name ... @defer { song(after: 30) } } }")
        for _ in 0..<5 {
            for try await update in client.updates(slow) {
                #expect(update.data?.hero.line == "Swift" && update.hasNext)
                break
            }
        }
        #expect(try await client.execute(GraphQLOperation<HeroData>("{ hero(id: \"1\") { name } }")).hero.line == "Swift")
    }
}
