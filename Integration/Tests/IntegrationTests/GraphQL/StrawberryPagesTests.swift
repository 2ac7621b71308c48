import Martlet
import MartletGraphQL
import Testing

/// Reads pages of strawberry's connections and of a list with an offset.
@Suite("Strawberry: pages", .timeLimit(.minutes(1)))
struct StrawberryPagesTests {
    private struct Birds: Decodable, Sendable {
        struct Bird: Decodable, Sendable { let name: String }
        let birds: GraphQLConnection<Bird>
    }

    private let all = (0..<7).map { "bird \($0)" }

    @Test("A connection is read forward by cursor, as pages and as items (Cursor Connections Specification)")
    func forward() async throws {
        let server = try Strawberry()
        let birds = GraphQLOperation<Birds>(
            "query Birds($after: String) { birds(first: 3, after: $after) { pageInfo { hasNextPage endCursor } edges { node { name } } } }")
        var pages: [[String]] = []
        for try await page in server.client().pages(birds, next: .cursor { $0.birds.pageInfo }) {
            pages.append(page.birds.nodes.map(\.name))
        }
        #expect(pages == [Array(all[..<3]), Array(all[3..<6]), Array(all[6...])])
        #expect(try await server.served().requests == 3)
        var names: [String] = []
        for try await bird in server.client().items(birds, next: .cursor { $0.birds.pageInfo }, items: \.birds.nodes) {
            names.append(bird.name)
        }
        #expect(names == all)
    }

    @Test("A connection is read backward by cursor")
    func backward() async throws {
        let birds = GraphQLOperation<Birds>(
            "query Birds($before: String) { birds(last: 4, before: $before) { pageInfo { hasPreviousPage startCursor } edges { node { name } } } }"
        )
        var pages: [[String]] = []
        for try await page in try Strawberry().client().pages(birds, next: .cursorBackward { $0.birds.pageInfo }) {
            pages.append(page.birds.nodes.map(\.name))
        }
        #expect(pages == [Array(all[3...]), Array(all[..<3])])
    }

    @Test("A list with an offset is read until a page is short or empty")
    func offset() async throws {
        struct BirdPage: GraphQLQuery {
            struct Data: Decodable, Sendable {
                struct Page: Decodable, Sendable { let items: [String] }
                let birdPage: Page
            }
            static let document: GraphQLDocument =
                "query BirdPage($offset: Int!, $limit: Int!) { birdPage(offset: $offset, limit: $limit) { items } }"
            let offset = 0
            let limit: Int
        }
        let server = try Strawberry()
        var items: [String] = []
        let full = server.client().items(
            BirdPage(limit: 3), next: .offset(pageSize: 3) { $0.birdPage.items.count }, items: \.birdPage.items)
        for try await item in full { items.append(item) }
        #expect(items == all)
        #expect(try await server.served().requests == 3)
        let untilEmpty = server.client().items(BirdPage(limit: 7), next: .offset { $0.birdPage.items.count }, items: \.birdPage.items)
        for try await item in untilEmpty { items.append(item) }
        #expect(items == all + all)
        #expect(try await server.served().requests == 5)
    }
}
