import Foundation
import Martlet
import MartletGraphQL
import MartletTesting
import Testing

@Suite("Generated operations", .timeLimit(.minutes(5)))
struct GeneratedOperationTests {
    /// Returns a client whose server returns these data, and its transport.
    private func client(_ data: String..., persistedQueries: PersistedQueries = .off) -> (GraphQLClient, MockTransport) {
        let transport = MockTransport(replies: data.map { .json("{\"data\":\($0)}") })
        let http = HTTPClient(baseURL: URL(string: "https://api.example"), transport: transport)
        return (GraphQLClient(http, configuration: .init(persistedQueries: persistedQueries)), transport)
    }

    private func variables(_ transport: MockTransport) throws -> JSONValue? {
        try body(transport)["variables"]
    }

    private func body(_ transport: MockTransport) throws -> JSONValue {
        let data = try #require(transport.requests.last?.body?.buffered)
        return try JSONBodyDecoder().decode(JSONValue.self, from: data)
    }

    @Test("A union is decoded by the type name, and a type without selections is unknown")
    func union() async throws {
        let (graphQL, _) = client(
            """
            {"search":[{"__typename":"Movie","title":"Alien","boxOffice":"106.2","genres":["DRAMA","SPACE"]},
            {"__typename":"Person","id":7,"name":"Ridley"},{"__typename":"Review"},{"__typename":"Later","x":1}]}
            """)
        let found = try await graphQL.execute(SearchQuery(text: "a", withReviews: false)).search
        let movie = SearchQuery.Data.Search.Movie(
            title: "Alien", boxOffice: GraphQLScalarText(Decimal(string: "106.2")!), genres: [.known(.drama), .unknown("SPACE")],
            reviews: nil)
        #expect(found == [.movie(movie), .person(PersonFields(id: "7", name: "Ridley")), .unknown("Review"), .unknown("Later")])
    }

    @Test("Fields and fragments are decoded from the same object, and a fragment that was left out is nil")
    func fragments() async throws {
        let movie =
            #""id":1,"title":"Alien","boxOffice":null,"rating":null,"default":true,"alias":"a","snake_name":null,"self":{"Type":"t"}"#
        let rest = #""tags":[["x",null]],"director":{"id":7,"name":"Ridley","born":null},"cast":[null,{"id":8,"name":"Sigourney"}]"#
        let reviews = #""reviews":[{"id":2,"stars":5,"text":null,"author":null}],"similar":null,"released":"1979""#
        let (graphQL, _) = client("{\"movie\":{\(movie),\(rest)}}", "{\"movie\":{\(movie),\(rest),\(reviews)}}")
        let first = try #require(try await graphQL.execute(MovieQuery(id: "1")).movie)
        #expect(first.movieTitle == MovieTitle(id: "1", title: "Alien") && first.movieReviews == nil && first.released == nil)
        #expect(first.default == true && first.selfValue?.type == "t" && first.tags == [["x", nil]])
        #expect(first.director == .init(born: nil, personFields: PersonFields(id: "7", name: "Ridley")))
        #expect(first.cast == [nil, .init(id: "8", name: "Sigourney")])
        let second = try #require(try await graphQL.execute(MovieQuery(id: "1")).movie)
        #expect(second.movieReviews?.reviews == [ReviewFields(id: "2", stars: 5, text: nil, author: nil)])
        #expect(second.released == "1979" && second.similar == nil)
    }

    @Test("A deferred fragment that has another shape is an error and not nil")
    func malformedFragment() async throws {
        let movie = #""id":1,"title":"Alien","tags":null,"director":null,"cast":null,"reviews":[{"id":2}]"#
        let (graphQL, _) = client("{\"movie\":{\(movie)}}")
        await #expect(throws: GraphQLError.self) { try await graphQL.execute(MovieQuery(id: "1")) }
    }

    @Test("Types that read themselves give the values of a decoder, in one pass and through Codable")
    func readable() async throws {
        let movie = #""title":"Alien","id":1,"boxOffice":"106.2","default":true,"alias":null,"rating":8.5,"tags":[["x",null]]"#
        let people = #""director":{"id":"7","born":"1937","name":"Ridley"},"cast":[null,{"id":8,"name":"Sigourney","x":{}}]"#
        let reviews = #""reviews":[{"id":2,"stars":5,"author":{"id":9,"name":"Ann"}}],"similar":[],"released":"1979""#
        let texts = ["{\"movie\":{\(movie),\(people)}}", "{\"movie\":{\(reviews),\(people),\(movie)}}"]
        let (graphQL, _) = client(texts[0], texts[1])
        var found: [ReadMovieQuery.Data] = []
        for _ in texts { found.append(try await graphQL.execute(ReadMovieQuery(id: "1"))) }
        let first = try #require(found[0].movie), second = try #require(found[1].movie)
        #expect(first.readTitle == ReadTitle(id: "1", title: "Alien") && first.readReviews == nil && first.similar == nil)
        #expect(first.boxOffice?.value == Decimal(string: "106.2") && first.default == true && first.tags == [["x", nil]])
        #expect(first.director == .init(born: "1937", readPerson: ReadPerson(id: "7", name: "Ridley")))
        #expect(first.cast == [nil, .init(id: "8", name: "Sigourney")] && second.cast == first.cast)
        #expect(second.readReviews?.reviews == [.init(id: "2", stars: 5, author: ReadPerson(id: "9", name: "Ann"))])
        #expect(second.similar == [] && second.released == "1979")
        for (text, data) in zip(texts, found) { #expect(try JSONDecoder().decode(ReadMovieQuery.Data.self, from: Data(text.utf8)) == data) }
    }

    @Test("Variants read themselves, and an error has the coding path")
    func readableVariants() async throws {
        let (graphQL, _) = client(
            #"{"search":[{"title":"Alien","pages":[],"__typename":"Movie"},{"__typename":"Person","id":7,"name":"R"},{"__typename":"X"}]}"#,
            #"{"node":{"__typename":"Movie","id":1,"title":"Alien","director":{"name":"Ridley"}}}"#,
            #"{"node":{"__typename":"Movie","id":1,"title":"Alien","director":{"name":7}}}"#)
        let search = try await graphQL.execute(ReadSearchQuery(text: "a")).search
        #expect(search == [.movie(.init(title: "Alien", pages: [])), .person(ReadPerson(id: "7", name: "R")), .unknown("X")])
        let node = try await graphQL.execute(ReadNodeQuery(id: "1")).node
        #expect(node == .init(id: "1", variant: .movie(.init(title: "Alien", director: .init(name: "Ridley")))))
        let error = await #expect(throws: GraphQLError.self) { try await graphQL.execute(ReadNodeQuery(id: "1")) }
        #expect(error.map { "\($0)" }?.contains("data.node.director.name") == true, "\(error.map { "\($0)" } ?? "none")")
    }

    @Test("Fields of an interface are beside an enum of its types")
    func interface() async throws {
        let (graphQL, _) = client(
            #"{"node":{"__typename":"Movie","id":1,"title":"Alien","director":{"name":"Ridley"}}}"#,
            #"{"node":{"__typename":"Later","id":2}}"#, #"{"node":null}"#)
        let movie = try await graphQL.execute(NodeQuery(id: "1")).node
        #expect(movie == .init(id: "1", variant: .movie(.init(title: "Alien", director: .init(name: "Ridley")))))
        #expect(try await graphQL.execute(NodeQuery(id: "2")).node == .init(id: "2", variant: .unknown("Later")))
        #expect(try await graphQL.execute(NodeQuery(id: "3")).node == nil)
    }

    @Test("Variables that are nil are left out, and null is sent where it differs")
    func inputs() async throws {
        let data = #"{"addReview":{"id":1,"stars":4,"text":null,"author":null}}"#
        let (graphQL, transport) = client(data, data, #"{"movies":{"nodes":[],"pageInfo":{"hasNextPage":false,"endCursor":null}}}"#)
        _ = try await graphQL.execute(AddReviewMutation(input: ReviewInput(movie: "1", stars: 4)))
        #expect(try variables(transport) == ["input": ["movie": "1", "stars": 4]])
        _ = try await graphQL.execute(
            AddReviewMutation(input: ReviewInput(movie: "1", stars: 4, text: .null, mood: .value(.romanticComedy))))
        #expect(try variables(transport) == ["input": ["movie": "1", "stars": 4, "text": nil, "mood": "ROMANTIC_COMEDY"]])
        let filter = MovieFilter(genre: .value(.noneValue), not: .value(MovieFilter(title: "x", not: .null)), and: [])
        _ = try await graphQL.execute(MoviesQuery(filter: filter))
        #expect(try variables(transport) == ["filter": ["genre": "NONE", "not": ["title": "x", "not": nil], "and": []]])
    }

    @Test("An input object with one field is an enum")
    func oneOf() async throws {
        let (graphQL, transport) = client(#"{"removeReview":true}"#)
        let place = ReviewPlace(movie: "1", index: 2, within: .value(.id("3")))
        #expect(try await graphQL.execute(RemoveReviewMutation(by: .place(place), note: .null)).removeReview == true)
        #expect(
            try variables(transport) == ["by": ["place": ["movie": "1", "index": 2, "within": ["id": "3"]]], "note": nil])
    }

    @Test("Manifests have the hash and the text of the documents that clients send")
    func manifests() async throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Movies")
        func manifest(_ name: String) throws -> JSONValue {
            try JSONBodyDecoder().decode(JSONValue.self, from: Data(contentsOf: folder.appendingPathComponent(name)))
        }
        let trusted = try manifest("trusted-documents.json"), data = #"{"node":null}"#
        let (graphQL, transport) = client(data, persistedQueries: .safelistedHashes())
        _ = try await graphQL.execute(NodeQuery(id: "1"))
        let sent = try body(transport), id = try #require(sent["documentId"]?.stringValue)
        #expect(sent["query"] == nil && trusted[id]?.stringValue == NodeQuery.document.text)
        let (apollo, hashes) = client(data, persistedQueries: .safelistedHashes(usesApolloExtension: true))
        _ = try await apollo.execute(NodeQuery(id: "1"))
        let hash = try body(hashes)["extensions"]?["persistedQuery"]?["sha256Hash"]?.stringValue
        let entries = try #require(try manifest("persisted-query-manifest.json")["operations"]?.arrayValue)
        let entry = try #require(entries.first { $0["id"]?.stringValue == hash })
        #expect(entry["name"] == "Node" && entry["type"] == "query" && entry["body"]?.stringValue == NodeQuery.document.text)
        for document in [
            SearchQuery.document, MovieQuery.document, MoviesQuery.document, AddReviewMutation.document, RemoveReviewMutation.document,
            AddPosterMutation.document, ReviewAddedSubscription.document,
        ] {
            #expect(entries.contains { $0["body"]?.stringValue == document.text })
        }
    }

    @Test("Generated data is a value for mocks")
    func mock() async throws {
        let mock = GraphQLClientMock()
        let review = ReviewFields(id: "1", stars: 3, text: "Good", author: nil)
        mock.on(AddReviewMutation.self) { _ in AddReviewMutation.Data(addReview: review) }
        #expect(try await mock.execute(AddReviewMutation(input: ReviewInput(movie: "1", stars: 3))).addReview == review)
    }
}
