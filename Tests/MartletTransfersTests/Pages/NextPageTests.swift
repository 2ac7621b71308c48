import Foundation
import MartletTesting
import Testing

@testable import MartletTransfers

@Suite("NextPage: finding the next page", .timeLimit(.minutes(5)))
struct NextPageTests {
    private func collect<Element>(_ sequence: PagedSequence<some Sendable, Element, HTTPError>) async throws -> [Element] {
        var all: [Element] = []
        for try await element in sequence { all.append(element) }
        return all
    }

    @Test("The link with the relation next is followed until it is missing (RFC 8288)")
    func link() async throws {
        let (client, transport) = pagingClient { request in
            switch request.item("page") {
            case nil: .json(#"["a","b"]"#, headers: ["Link": "<?page=2>; rel=\"next\", <?page=9>; rel=last"])
            case "2": .json("[]", headers: ["Link": "</v1/repos?page=3>; rel=next"])
            default: .json(#"["c"]"#, headers: ["Link": "<?page=1>; rel=first"])
            }
        }
        #expect(try await collect(client.pages(Request<[String]>.get("repos"), next: .link)) == [["a", "b"], [], ["c"]])
        #expect(try await collect(client.items(.repos, next: .link)) == ["a", "b", "c"])
        #expect(transport.targets.prefix(3) == ["repos", "repos?page=2", "repos?page=3"])
    }

    @Test("A link of another relation is followed, and a link with an anchor elsewhere is ignored")
    func otherRelation() async throws {
        let (client, transport) = pagingClient { request in
            request.item("page") == nil
                ? .json("[]", headers: ["Link": "<?page=8>; rel=prev; anchor=\"/x\", <?page=9>; rel=PREV"]) : .json("[]")
        }
        _ = try await collect(client.pages(.repos, next: .link("prev")))
        #expect(transport.targets == ["repos", "repos?page=9"])
    }

    @Test("A cursor in the response replaces the request's own item, and null or an empty string ends the pages")
    func cursor() async throws {
        for end in ["null", "\"\""] {
            let (client, transport) = pagingClient { request in
                switch request.item("cursor") {
                case "own": .json(#"{"users": ["a"], "nextCursor": "x/+ y"}"#)
                default: .json(#"{"users": ["b"], "nextCursor": \#(end)}"#)
                }
            }
            let request = Request<UserPage>.get("users", query: ["cursor": "own", "limit": 2])
            #expect(try await collect(client.items(request, next: .cursor(\.nextCursor, query: "cursor"), items: \.users)) == ["a", "b"])
            #expect(transport.targets == ["users?cursor=own&limit=2", "users?limit=2&cursor=x%2F%2B%20y"])
        }
    }

    @Test("A cursor replaces the item of a full URL, and can be sent in a body")
    func cursorElsewhere() async throws {
        let (client, transport) = pagingClient { request in
            request.item("cursor") == "1" ? .json(#"{"users": [], "nextCursor": "2"}"#) : .json(#"{"users": []}"#)
        }
        let url = try #require(URL(string: "https://h/users?a=1&cursor=1&b#f"))
        _ = try await collect(client.pages(Request<UserPage>.get(url: url), next: .cursor(\.nextCursor, query: "cursor")))
        #expect(transport.targets == ["users?a=1&cursor=1&b", "users?a=1&b&cursor=2"])

        let (poster, posted) = pagingClient { request in
            request.body?.buffered == Data(#"{"first":true}"#.utf8) ? .json(#"{"users": [], "nextCursor": "2"}"#) : .json(#"{"users": []}"#)
        }
        let search = Request<UserPage>.post("users", body: .json(["first": true]))
        _ = try await collect(poster.pages(search, next: .cursor(\.nextCursor) { .json(["after": .string($0)]) }))
        #expect(
            posted.requests.map { $0.body?.buffered.map { String(decoding: $0, as: UTF8.self) } } == [
                #"{"first":true}"#, #"{"after":"2"}"#,
            ])
    }

    @Test("An absolute or relative URL in the response replaces the path and the query")
    func url() async throws {
        let (client, transport) = pagingClient { request in
            switch request.item("page") {
            case nil: .json(#"{"users": ["a"], "next": "?page=2"}"#)
            case "2": .json(#"{"users": ["b"], "next": "https://api.example/v2/users?page=3"}"#)
            default: .json(#"{"users": ["c"], "next": null}"#)
            }
        }
        #expect(try await collect(client.items(.users, next: .url(\.next), items: \.users)) == ["a", "b", "c"])
        #expect(
            transport.requests.map(\.url.absoluteString) == [
                "https://api.example/v1/users?limit=2", "https://api.example/v1/users?page=2", "https://api.example/v2/users?page=3",
            ])
        _ = try await collect(client.pages(.users, next: .url { $0.next.flatMap { URL(string: $0) } }))
        #expect(transport.requests.count == 6)
    }

    @Test("Page numbers increase until a page is empty or says that it is the last")
    func numbers() async throws {
        let (client, transport) = pagingClient { $0.item("page") == "3" ? .json("[]") : .json(#"["x"]"#) }
        #expect(try await collect(client.pages(.repos, next: .pageNumber(query: "page"))) == [["x"], ["x"], []])
        #expect(transport.targets == ["repos?page=1", "repos?page=2", "repos?page=3"])

        let (counted, sent) = pagingClient { request in .json(#"{"users": [], "number": \#(request.item("p") ?? "-1")}"#) }
        _ = try await collect(counted.pages(.users, next: .pageNumber(query: "p", from: 0, until: { $0.number == 1 })))
        #expect(sent.targets == ["users?limit=2&p=0", "users?limit=2&p=1"])
    }

    @Test("Offsets increase by the number of received items until a page is empty")
    func offsets() async throws {
        let (client, transport) = pagingClient { request in
            switch request.item("offset") {
            case "0": .json(#"["a","b"]"#)
            case "2": .json(#"["c"]"#)
            default: .json("[]")
            }
        }
        #expect(try await collect(client.items(.repos, next: .offset(query: "offset"))) == ["a", "b", "c"])
        #expect(transport.targets == ["repos?offset=0", "repos?offset=2", "repos?offset=3"])
        let (other, sent) = pagingClient { $0.item("skip") == "10" ? .json(#"{"users": ["a"]}"#) : .json(#"{"users": []}"#) }
        _ = try await collect(other.items(.users, next: .offset(query: "skip", from: 10, count: \.users.count), items: \.users))
        #expect(sent.targets == ["users?limit=2&skip=10", "users?limit=2&skip=11"])
    }

    @Test("A number beyond the largest integer is refused, from the server or from the caller")
    func tooLarge() async throws {
        let (client, transport) = pagingClient { _ in .json(#"{"users": ["a"], "number": \#(Int.max)}"#) }
        let rules: [NextPage<UserPage>] = [
            .offset(query: "o", from: 1, count: { $0.number ?? 0 }), .pageNumber(query: "p", from: .max, until: { _ in false }),
        ]
        for rule in rules {
            var iterator = client.pages(.users, next: rule).makeAsyncIterator()
            #expect(try await iterator.next()?.users == ["a"])
            let error = await #expect(throws: HTTPError.self) { try await iterator.next() }
            #expect(error == .pagingFailed(PagingFailure(.refusedTarget)) && error?.request != nil)
        }
        #expect(transport.requests.count == 2)
    }

    @Test("A custom rule sees the header fields too")
    func custom() async throws {
        let (client, transport) = pagingClient { $0.item("t") == nil ? .json("[]", headers: ["X-Next": "7"]) : .json("[]") }
        let rule = NextPage<[String]>.custom { response in response.headers["X-Next"].map { .query("t", $0) } }
        _ = try await collect(client.pages(.repos, next: rule))
        #expect(transport.targets == ["repos", "repos?t=7"])
    }

    @Test("Pages work with endpoints, short names of requests, responses without a type, and any client")
    func spelling() async throws {
        let (client, _) = pagingClient { _ in .json(#"{"users": ["a"]}"#) }
        let any: any HTTPClientProtocol = client
        #expect(try await collect(any.items(ListUsers(), next: .cursor(\.nextCursor, query: "c"), items: \.users)) == ["a"])
        #expect(try await collect(any.items(.users, next: .cursor(\.nextCursor, query: "c"), items: \.users)) == ["a"])
        #expect(try await collect(any.pages(OpenAPI.users, as: UserPage.self, next: .cursor(\.nextCursor, query: "c"))).count == 1)
        #expect(try await collect(any.items(OpenAPI.users, as: UserPage.self, next: .url(\.next), items: \.users)) == ["a"])
        #expect(try await collect(any.pages(.users, next: .cursor(\.number, query: "c")).responses).map(\.status) == [.ok])
        let mock = HTTPClientMock()
        mock.on(ListUsers.self, .value(UserPage(users: ["a"], nextCursor: "x")), .value(UserPage(users: ["b"])))
        #expect(try await collect(mock.items(ListUsers(), next: .cursor(\.nextCursor, query: "c"), items: \.users)) == ["a", "b"])
        #expect(mock.requested(ListUsers.self).count == 2)
    }
}
