import Foundation
import Martlet
import MartletGraphQL
import MartletTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct GraphQLPagesTests {
    struct Bird: Codable, Sendable, Equatable { let name: String }

    struct Birds: GraphQLQuery {
        struct Data: Decodable, Sendable { let birds: GraphQLConnection<Bird>? }
        static let document: GraphQLDocument =
            "query Birds($after: String, $kind: String) { birds(after: $after, kind: $kind) { nodes { name } } }"
        var kind = "swift"
    }

    struct Listed: Decodable, Sendable { let list: [Int] }

    private static let list: GraphQLDocument = "query List($offset: Int) { list(offset: $offset) }"

    /// A server with three pages: two birds, two birds, and one bird.
    private func server() -> (client: GraphQLClient, transport: MockTransport) {
        graphQL { request in
            let after = request.json?["variables"]?["after"]?.stringValue.flatMap(Int.init) ?? 0
            let names = ["a", "b", "c", "d", "e"][after..<min(after + 2, 5)]
            let nodes = names.map { #"{"name":"\#($0)"}"# }.joined(separator: ",")
            let info = #"{"hasNextPage":\#(after + 2 < 5),"endCursor":"\#(after + 2)"}"#
            return .json(#"{"data":{"birds":{"nodes":[\#(nodes)],"pageInfo":\#(info)}}}"#)
        }
    }

    private func offsets(_ total: Int, size: Int) -> (client: GraphQLClient, transport: MockTransport) {
        graphQL { request in
            let offset = request.json?["variables"]?["offset"]?.intValue ?? 0
            return .json(#"{"data":{"list":\#(Array(offset..<max(offset, min(offset + size, total))))}}"#)
        }
    }

    @Test("Items of a connection arrive in order, and each page is requested with the previous page's cursor")
    func connection() async throws {
        let (client, transport) = server()
        var names: [String] = []
        for try await bird in client.items(Birds(), next: .cursor { $0.birds?.pageInfo }, items: { $0.birds?.nodes ?? [] }) {
            names.append(bird.name)
        }
        #expect(names == ["a", "b", "c", "d", "e"])
        #expect(transport.requests.map { $0.json?["variables"]?["after"] } == [nil, "2", "4"])
        #expect(transport.requests.allSatisfy { $0.json?["variables"]?["kind"] == "swift" })
    }

    @Test("A connection encodes to the JSON it was decoded from")
    func codable() throws {
        let page = GraphQLConnection(nodes: [Bird(name: "a")], pageInfo: .init(hasNextPage: true, endCursor: "x"), totalCount: 7)
        #expect(try JSONBodyDecoder.json.decode(GraphQLConnection<Bird>.self, from: JSONBodyEncoder.json.encode(page)) == page)
    }

    @Test("Nothing is sent before iteration, and each page is requested only when needed")
    func lazy() async throws {
        let (client, transport) = server()
        var pages = client.pages(Birds(), next: .cursor { $0.birds?.pageInfo }).makeAsyncIterator()
        #expect(transport.requests.isEmpty)
        _ = try await pages.next()
        #expect(transport.requests.count == 1)
        #expect(pages.nextOperation?.variables["after"] == "2")
    }

    @Test("Paging backward uses the start cursor of each page")
    func backward() async throws {
        let (client, transport) = graphQL { request in
            let before = request.json?["variables"]?["before"]?.stringValue
            let info = before == nil ? #"{"hasPreviousPage":true,"startCursor":"x"}"# : "{}"
            return .json(#"{"data":{"birds":{"edges":[{"node":{"name":"\#(before ?? "z")"}},{"node":null},null],"pageInfo":\#(info)}}}"#)
        }
        let names = try await client.items(Birds(), next: .cursorBackward { $0.birds?.pageInfo }, items: { $0.birds?.nodes ?? [] })
            .reduce(into: []) { $0.append($1.name) }
        #expect(names == ["z", "x"])
        #expect(transport.requests.count == 2)
    }

    @Test(
        "Paging by offset ends with an empty page, or with a page that is not full", arguments: [(nil, 3), (2, 3), (3, 2)] as [(Int?, Int)])
    func offset(size: Int?, requests: Int) async throws {
        let (client, transport) = offsets(4, size: size ?? 2)
        let operation = GraphQLOperation<Listed>(Self.list)
        var items: [Int] = []
        for try await item in client.items(operation, next: .offset(pageSize: size) { $0.list.count }, items: \.list) {
            items.append(item)
        }
        #expect(items == [0, 1, 2, 3])
        #expect(transport.requests.count == requests)
    }

    @Test("An offset starts at the operation's own value")
    func offsetStart() async throws {
        let (client, _) = offsets(5, size: 2)
        let operation = GraphQLOperation<Listed>(Self.list, variables: ["offset": 3])
        let items = try await client.items(operation, next: .offset(pageSize: 2) { $0.list.count }, items: \.list).reduce(into: []) {
            $0.append($1)
        }
        #expect(items == [3, 4])
    }

    @Test("A repeated cursor is a loop error, thrown after the items of the page")
    func loop() async throws {
        let (client, transport) = graphQL { _ in
            .json(#"{"data":{"birds":{"nodes":[{"name":"a"}],"pageInfo":{"hasNextPage":true,"endCursor":"x"}}}}"#)
        }
        var pages = client.pages(Birds(), next: .cursor { $0.birds?.pageInfo }).makeAsyncIterator()
        _ = try await pages.next()
        _ = try await pages.next()
        let error = await #expect(throws: GraphQLError.self) { _ = try await pages.next() }
        guard case .http(.pagingFailed(let failure)) = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(failure.kind == .loop)
        #expect(transport.requests.count == 2)
    }

    @Test("A next page without a cursor is an error, thrown after the items of the page")
    func missingCursor() async throws {
        let (client, _) = graphQL { _ in .json(#"{"data":{"birds":{"nodes":[{"name":"a"}],"pageInfo":{"hasNextPage":true}}}}"#) }
        var items = client.items(Birds(), next: .cursor { $0.birds?.pageInfo }, items: { $0.birds?.nodes ?? [] }).makeAsyncIterator()
        #expect(try await items.next()?.name == "a")
        let error = await #expect(throws: GraphQLError.self) { _ = try await items.next() }
        guard case .http(.pagingFailed(let failure)) = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(failure.kind == .missingCursor)
    }

    @Test("A page beyond the limit is an error, and the item limit ends the sequence")
    func limits() async throws {
        let (client, _) = server()
        func items(pages: Int = 1000, items: Int? = nil) -> GraphQLPages<Birds.Data, Bird, GraphQLError> {
            client.items(
                Birds(), next: .cursor { $0.birds?.pageInfo }, items: { $0.birds?.nodes ?? [] }, maxPages: pages, maxItems: items)
        }
        var count = 0
        let error = await #expect(throws: GraphQLError.self) { for try await _ in items(pages: 2) { count += 1 } }
        guard case .http(.pagingFailed(let failure)) = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(failure.kind == .tooManyPages && count == 4)
        count = 0
        for try await _ in items(items: 3) { count += 1 }
        #expect(count == 3)
    }

    @Test("After a failed request, the next call requests the same page again")
    func again() async throws {
        let calls = Recorder<Int>()
        let (client, _) = graphQL { _ in
            calls.append(1)
            if calls.count == 1 { return .status(503) }
            return .json(#"{"data":{"birds":null}}"#)
        }
        var pages = client.pages(Birds(), next: .cursor { $0.birds?.pageInfo }).makeAsyncIterator()
        await #expect(throws: GraphQLError.self) { _ = try await pages.next() }
        #expect(try await pages.next() != nil)
        #expect(try await pages.next() == nil)
    }

    @Test("Errors beside a page's data end the sequence unless the policy allows them")
    func errors() async throws {
        let (client, _) = graphQL { _ in .json(#"{"data":{"birds":null},"errors":[{"message":"m"}]}"#) }
        var strict = client.pages(Birds(), next: .cursor { $0.birds?.pageInfo }).makeAsyncIterator()
        await #expect(throws: GraphQLError.response([GraphQLResponseError(message: "m")])) { _ = try await strict.next() }
        var lenient = client.pages(Birds(), next: .cursor { $0.birds?.pageInfo }, options: .init(errorPolicy: .ignore))
            .makeAsyncIterator()
        #expect(try await lenient.next() != nil)
    }
}
