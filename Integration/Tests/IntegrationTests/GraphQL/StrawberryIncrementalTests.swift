import Martlet
import MartletGraphQL
import Testing

/// `@defer` and `@stream`, as graphql-core executes them: the format of `pending`, `incremental` and `completed`.
@Suite("Strawberry: incremental delivery", .timeLimit(.minutes(1)))
struct StrawberryIncrementalTests {
    private final class Hero: Decodable, Sendable {
        let id: String?
        let name: String?
        let song: String?
        let nest: String?
        let flights: [String]?
        let mate: Hero?

        /// What has come, in one line.
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

    /// The last is the only one after which nothing comes.
    private func isInOrder(_ updates: [Update]) -> Bool { updates.map(\.hasNext) == updates.indices.map { $0 < updates.count - 1 } }

    @Test("What is deferred comes after the rest")
    func deferred() async throws {
        let updates = try await updates("{ hero(id: \"1\") { id ... @defer(label: \"slow\") { name song } } }")
        #expect(updates.map { $0.data?.hero.line } == ["1", "1 Swift the song of Swift"])
        #expect(isInOrder(updates) && updates.allSatisfy { $0.errors.isEmpty })
    }

    @Test("A fragment that is deferred inside a deferred one, and two that share an object, are put together")
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

    @Test("Each bird of a list has its deferred song")
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

    @Test("A streamed list grows in its order, one that fails keeps what had come and tells the error, and an empty one ends")
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

    @Test("Errors of the first part, inside a deferred fragment, and of one that fails as a whole, stand beside the data")
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

    @Test("An answer in one piece is the only update: nothing deferred, errors alone, a query without directives")
    func whole() async throws {
        let now = try await updates("{ hero(id: \"1\") { name ... @defer(if: false) { song } } }")
        #expect(now.map { $0.data?.hero.line } == ["Swift the song of Swift"] && isInOrder(now))
        let plain = try await updates("{ hero(id: \"2\") { name } }")
        #expect(plain.map { $0.data?.hero.line } == ["Martlet"] && isInOrder(plain))
        let invalid = try await updates("{ hero(id: \"2\") { nope ... @defer { song } } }")
        #expect(invalid.count == 1 && invalid.first?.data == nil && invalid.first?.errors.count == 1)
    }

    @Test("Leaving the loop after the first update is the end of it, and the client goes on")
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
