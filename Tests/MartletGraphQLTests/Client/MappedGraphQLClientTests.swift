import Foundation
import Martlet
import MartletGraphQL
import MartletTesting
import Testing

@Suite("MappedGraphQLClient", .timeLimit(.minutes(5)))
struct MappedGraphQLClientTests {
    private struct AppError: Error, Equatable { let status: Int? }
    private struct Mapper: GraphQLErrorMapping {
        func map(_ error: GraphQLError) -> AppError { AppError(status: error.httpError?.status?.rawValue) }
    }
    private struct Listed: Decodable, Sendable { let list: [Int] }
    private struct ListQuery: GraphQLQuery {
        typealias Data = Listed
        static let document: GraphQLDocument = "query List($offset: Int) { list(offset: $offset) }"
    }

    private let hero = #"{"data":{"hero":{"name":"Swift"}}}"#
    private let counts = #"{"data":{"count":1}}"#
    private let next = GraphQLNextPage<Listed>.offset(pageSize: 2) { $0.list.count }

    private func api(_ replies: MockReply...) -> MappedGraphQLClient<AppError> {
        let http = HTTPClient(
            baseURL: URL(string: "https://api.example/"), transport: MockTransport(replies: replies),
            configuration: .init(totalTimeout: nil),
            time: ManualTime())
        return GraphQLClient(http).mappingErrors(Mapper())
    }

    private func all<S: AsyncSequence>(_ sequence: S) async throws -> [S.Element] {
        var elements: [S.Element] = []
        for try await element in sequence { elements.append(element) }
        return elements
    }

    @Test("Sequences return the values of the wrapped client, for operations and for types")
    func values() async throws {
        let query = HeroQuery(id: "1"), pages = [MockReply.json(#"{"data":{"list":[0,1]}}"#), .json(#"{"data":{"list":[2]}}"#)]
        #expect(try await all(api(.json(hero)).values(query)).map { $0.result.data?.hero?.name } == ["Swift"])
        #expect(try await all(api(.json(hero)).values(query.operation)).map { $0.result.data?.hero?.name } == ["Swift"])
        #expect(try await all(api(.json(hero)).updates(query)).map(\.hasNext) == [false])
        #expect(try await all(api(.json(hero)).updates(query.operation)).map(\.hasNext) == [false])
        #expect(try await all(api(pages[0], pages[1]).pages(ListQuery(), next: next)).map(\.list) == [[0, 1], [2]])
        #expect(try await all(api(pages[0], pages[1]).pages(ListQuery().operation, next: next)).map(\.list) == [[0, 1], [2]])
        #expect(try await all(api(pages[0], pages[1]).items(ListQuery(), next: next, items: \.list)) == [0, 1, 2])
        #expect(try await all(api(pages[0]).items(ListQuery().operation, next: next, items: \.list, maxItems: 1)) == [0])
        let events = MockReply.events("event: next\ndata: \(counts)\n\nevent: complete\n\n")
        #expect(try await all(api(events).subscribe(Counting())).compactMap(\.data?.count) == [1])
        #expect(try await all(api(events).subscribe(Counting().operation)).compactMap(\.data?.count) == [1])
    }

    @Test("Each sequence throws only the app's error")
    func errors() async {
        func failure<S: AsyncSequence>(_ sequence: S) async -> AppError? where S.Failure == AppError {
            do throws(AppError) {
                for try await _ in sequence {}
                return nil
            } catch { return error }
        }
        let refused = AppError(status: 403)
        #expect(await failure(api(.status(403)).values(HeroQuery(id: "1"))) == refused)
        #expect(await failure(api(.status(403)).updates(HeroQuery(id: "1"))) == refused)
        #expect(await failure(api(.status(403)).pages(ListQuery(), next: next)) == refused)
        #expect(await failure(api(.status(403)).items(ListQuery(), next: next, items: \.list)) == refused)
        #expect(await failure(api(.status(403)).subscribe(Counting())) == refused)
        let page = MockReply.json(#"{"data":{"list":[0,1]}}"#), last = MockReply.json(#"{"data":{"list":[2]}}"#)
        #expect(await failure(api(page, last).pages(ListQuery(), next: next, maxPages: 1)) == AppError(status: nil))
    }

    @Test("A batch has an outcome for each operation, and an error of the whole batch is the app's")
    func batches() async throws {
        let refusal = #"{"errors":[{"message":"no"}]}"#, operation = HeroQuery(id: "1").operation
        let outcomes = try await api(.json("[\(hero),\(refusal)]")).batch([operation, operation])
        #expect(try outcomes[0].data().hero?.name == "Swift")
        #expect(throws: GraphQLError.self) { try outcomes[1].data() }
        let (first, second) = try await api(.json("[\(hero),\(counts)]")).batch(operation, GraphQLOperation<Count>("{ count }"))
        #expect(try first.data().hero?.name == "Swift" && second.data() == Count(count: 1))
        await #expect(throws: AppError(status: 503)) { try await api(.status(503)).batch([operation, operation]) }
        await #expect(throws: AppError(status: 503)) {
            _ = try await api(.status(503)).batch(operation, GraphQLOperation<Count>("{ count }"))
        }
    }
}
