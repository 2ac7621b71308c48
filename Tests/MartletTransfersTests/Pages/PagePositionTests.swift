import Foundation
import Testing

@testable import MartletTransfers

@Suite("PagePosition", .timeLimit(.minutes(5)))
struct PagePositionTests {
    private func query(_ position: PagePosition, _ request: Request<Data>) throws -> String {
        try position.adjusted(request, body: nil).query.encoded()
    }

    @Test("A query item replaces all others of its name, in values and in members, and comes last")
    func query() throws {
        struct Members: Encodable, Sendable { let page = 1, size = 2 }
        var query = Query(Members())
        query.append("page", [3, 4])
        #expect(try self.query(.query("page", 9), .get("x", query: query)) == "size=2&page=9")
        #expect(try self.query(.query("page", "a b"), .get("x")) == "page=a%20b")
        #expect(try self.query(.start, .get("x", query: ["page": 1])) == "page=1")
    }

    @Test("Names and cursors that are equal in Unicode but have other bytes are different")
    func bytes() throws {
        #expect(try query(.query("é", 2), .get("x", query: ["e\u{301}": 1, "é": 1])) == "e%CC%81=1&%C3%A9=2")
        let request = Request<Data>.get(url: try #require(URL(string: "https://h/x?e%CC%81=1&%C3%A9=1")))
        #expect(PagePosition.query("é", 2).adjusted(request, body: nil).url?.absoluteString == "https://h/x?e%CC%81=1")
        #expect(PagePosition.query("c", "é") != .query("c", "e\u{301}") && PagePosition.query("c", "é") == .query("c", "é"))
        #expect(PagePosition(.body("é")) != PagePosition(.body("e\u{301}")) && PagePosition(.body("é")) == PagePosition(.body("é")))
    }

    @Test("In a full URL, all items of the name are replaced, including escaped ones")
    func url() throws {
        func url(_ text: String) throws -> String? {
            let request = Request<Data>.get(url: try #require(URL(string: text)))
            return PagePosition.query("page", 2).adjusted(request, body: nil).url?.absoluteString
        }
        #expect(try url("https://h/x?page=1&a=2&p%61ge=3#f") == "https://h/x?a=2#f")
        #expect(try url("https://h/x?page") == "https://h/x")
        #expect(try url("https://h/x?pages=1") == "https://h/x?pages=1")
        #expect(try url("https://h/x#?page=1") == "https://h/x#?page=1")
    }

    @Test("A URL replaces the path and the query, and the method, header fields and body are kept")
    func target() throws {
        let request = Request<Data>.post("x", query: ["a": 1], headers: ["X-A": "1"], body: .json(["b": 2]))
        let url = try #require(URL(string: "https://h/y?c=3"))
        let adjusted = PagePosition.url(url).adjusted(request, body: nil)
        #expect(adjusted.url == url && adjusted.query.isEmpty && adjusted.method == .post && adjusted.body != nil)
        #expect(adjusted.headers == ["X-A": "1"])
    }

    @Test("The description redacts secrets")
    func description() throws {
        #expect("\(PagePosition.start)" == "the first page")
        #expect(!"\(PagePosition.query("access_token", "hunter2"))".contains("hunter2"))
        #expect(!"\(PagePosition.url(try #require(URL(string: "https://h/?access_token=hunter2"))))".contains("hunter2"))
    }
}
