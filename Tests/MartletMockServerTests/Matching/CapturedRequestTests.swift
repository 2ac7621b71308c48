import Foundation
import MartletTesting
import Testing

/// Tests the properties of captured requests.
@Suite("CapturedRequest", .timeLimit(.minutes(5))) struct CapturedRequestTests {
    @Test("Query, form, JSON and text have the same names for requests of a transport and of a server")
    func bothEnds() async throws {
        let server = try await MockServer.start { _ in .status(204) }
        let transport = MockTransport { _ in .status(204) }
        for client in [HTTPClient(baseURL: server.url), HTTPClient(baseURL: server.url, transport: transport)] {
            try await client.send(Request<EmptyResponse>.get("birds", query: ["page": 2, "tag": ["a b", "c&d"]]))
            try await client.send(Request<EmptyResponse>.post("login", body: .form(["user": "ada", "note": "a+b c"])))
            try await client.send(Request<EmptyResponse>.put("a/\("b/c")", body: .json(["name": "Ada"])))
        }
        try check(server.requests)
        try check(transport.requests)
        try check(transport.requests.map(\.snapshot))
        #expect(transport.requests.map(\.target) == server.requests.map(\.target))
        #expect(transport.requests.map(\.snapshot.target) == server.requests.map(\.target))
        await server.stop()
    }

    private func check(_ requests: [some CapturedRequest]) throws {
        try #require(requests.count == 3)
        #expect(requests.map(\.path) == ["/birds", "/login", "/a/b%2Fc"])
        #expect(requests[0].query["page"] == "2" && requests[0].query.values(for: "tag") == ["a b", "c&d"])
        #expect(requests[0].query.encoded == "page=2&tag=a%20b&tag=c%26d" && requests[0].form.isEmpty && requests[0].form.encoded == nil)
        #expect(requests[1].form == ["user": "ada", "note": "a+b c"] && requests[1].form["user"] == "ada")
        #expect(requests[1].text == "user=ada&note=a%2Bb+c" && requests[1].json == nil && requests[1].query.encoded == nil)
        #expect(requests[2].json == ["name": "Ada"] && requests[2].json?["name"] == "Ada" && requests[2].form.isEmpty)
    }

    @Test("A body without a type may be a form; a body of another type, and bytes, are not")
    func forms() {
        func request(_ type: String?, _ body: Data) -> RequestSnapshot {
            RequestSnapshot(method: .post, url: "/", headers: type.map { [.contentType: $0] } ?? [:], body: body)
        }
        let body = Data("a=1".utf8)
        #expect(request(nil, body).form["a"] == "1")
        #expect(request("Application/X-WWW-Form-Urlencoded; charset=utf-8", body).form["a"] == "1")
        for other in [request("text/plain", body), request("broken", body), request(nil, Data([0xFF])), request(nil, Data())] {
            #expect(other.form.isEmpty && other.form.encoded == nil && !other.matches(.any.form(["a": "1"])))
        }
        #expect(request(nil, Data([0xFF])).text == nil)
    }

    @Test("A target in absolute form, as sent to a proxy, has the path of its URL")
    func absoluteForm() {
        let request = RequestSnapshot(url: "http://h.example/a?b=1")
        #expect(request.path == "/a" && request.target == "/a?b=1" && request.query["b"] == "1")
    }
}

@Suite("RequestItems", .timeLimit(.minutes(5))) struct RequestItemsTests {
    let items = RequestSnapshot(url: "/?page=2&tag=b+c&flag&tag=%C3%BC%2B&empty=&token=s3cret").query

    @Test("Decoded items are found by name: the first or all")
    func names() {
        #expect(items["page"] == "2" && items["tag"] == "b c" && items.values(for: "tag") == ["b c", "ü+"])
        #expect(items["flag"] == "" && items["empty"] == "" && items["Page"] == nil && items.values(for: "none") == [])
    }

    @Test("Items are a collection in the order of the request")
    func collection() {
        #expect(items.map(\.name) == ["page", "tag", "flag", "tag", "empty", "token"] && items.count == 6)
        #expect(items[2] == URLQueryItem(name: "flag", value: nil) && items[4] == URLQueryItem(name: "empty", value: ""))
    }

    @Test("Two collections are equal if they have the same items in any order")
    func equality() {
        let query = RequestSnapshot(url: "/?b=2&a=1&b=1").query
        #expect(query == ["a": "1", "b": "1", "b": "2"] && query.encoded == "b=2&a=1&b=1")
        #expect(query != ["a": "1", "b": "1"] && query != ["a": "1", "b": "1", "b": "3"] && query != [:])
        #expect(RequestSnapshot(url: "/").query == [:] && RequestSnapshot(url: "/?").query == [:])
        let expected: RequestItems = ["a b": "ü&="]
        #expect(RequestSnapshot(url: "/?\(expected.encoded ?? "")").query == expected)
    }

    @Test("Descriptions mask secrets")
    func description() {
        #expect("\(items)" == "page=2&tag=b c&flag&tag=ü+&empty=&token=‹redacted›")
        #expect(String(reflecting: items) == "\(items)" && Mirror(reflecting: items).children.isEmpty)
    }
}
