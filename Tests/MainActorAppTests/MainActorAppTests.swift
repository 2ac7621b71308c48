import Foundation
import Martlet
import MartletGraphQL
import MartletTesting
import Testing

@Suite("An app that is isolated to the main actor by default", .timeLimit(.minutes(5)))
struct MainActorAppTests {
    private func client(_ transport: MockTransport) -> HTTPClient {
        HTTPClient(
            baseURL: URL(string: "https://h.example"), transport: transport,
            interceptors: [LanguageInterceptor(language: "fr"), AuthInterceptor(Tokens())])
    }

    @Test("A view model loads values, and shows the app's own errors")
    func viewModel() async {
        let transport = MockTransport(.json(#"[{"id":1,"name":"a"}]"#), .json(#"{"id":2,"name":"b"}"#), .status(404))
        let model = BirdModel(http: client(transport))
        await model.load()
        #expect(model.birds == [Bird(id: 1, name: "a")])
        await model.open(2).value
        #expect(model.birds == [Bird(id: 2, name: "b")] && model.problem == nil)
        await model.open(3).value
        #expect(model.problem == .missing)
        #expect(transport.requests.allSatisfy { $0.headers["Accept-Language"] == "fr" && $0.headers[.authorization] == "Bearer token" })
    }

    @Test("A view model follows lines and events, and shows the progress of an upload")
    func streams() async throws {
        let transport = MockTransport { request in
            switch request.url.path {
            case "/log": .data(Data("one\ntwo\n".utf8))
            case "/arrivals": .events([#"{"id":1,"name":"a"}"#])
            default: .data(Data())
            }
        }
        let model = BirdModel(http: client(transport))
        try await model.upload(Keeper(name: "Ann"))
        #expect(model.progress == 1)
        try await model.follow()
        #expect(model.lines == ["one", "two"] && model.birds == [Bird(id: 1, name: "a")])
    }

    @Test("An enum's response is decoded as the type that the call names, also away from the main actor")
    func away() async throws {
        let client = client(MockTransport(.json(#"{"name":"Ann"}"#)))
        let initial = try await Task.detached { try await client.send(KeeperAPI.keeper(1), as: Keeper.self).initial }.value
        #expect(initial == "A")
    }
}

@Suite("Generated operations in an app that is isolated to the main actor by default", .timeLimit(.minutes(5)))
struct CatalogTests {
    @Test("Public operations are sent and decoded away from the main actor")
    func catalog() async throws {
        let data = #"{"node":{"__typename":"Person","id":1,"name":"a","born":null},"movies":{"nodes":[{"title":"t","rating":2}]}}"#
        let transport = MockTransport(.json("{\"data\":\(data)}"))
        let graphQL = GraphQLClient(HTTPClient(baseURL: URL(string: "https://h.example"), transport: transport))
        let found = try await Task.detached { try await graphQL.execute(CatalogQuery(id: "1", oldGenre: .null)) }.value
        #expect(found.node == .init(id: "1", variant: .person(CatalogPerson(id: "1", name: "a", born: nil))))
        let movie = CatalogMovie(title: "t", rating: 2)
        #expect(found.movies == .init(nodes: [.init(rating: 2, catalogMovie: movie)]))
        let sent = try #require(transport.requests.first?.body?.buffered)
        #expect(String(decoding: sent, as: UTF8.self).contains(#""variables":{"id":"1","old_genre":null}"#))
    }
}
