import Foundation
import Martlet
import MartletMockServer
import MartletTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct RequestMatcherTests {
    let request = RequestSnapshot(
        method: .post, url: "https://api.example.com:8080/v1/users?page=2&tag=a&tag=b+c&flag",
        headers: ["Accept": "application/json", "X-Tag": "1", "x-tag": "2"], body: Data(#"{"name":"Ada","tags":["x","y"],"age":36.0}"#.utf8)
    )

    @Test("Every named part must match, and others may have any value")
    func fits() {
        let matchers: [RequestMatcher] = [
            .any, .method(.post), .path("/v1/users"), .post("/v1/users"), .post("users"), .post("/v1/users?page=2&flag"),
            .any.query("page"), .any.query("page", "2"), .any.query("tag", "b c"), .any.query("flag", ""), .any.withoutQuery("size"),
            .any.header("accept"), .any.header(.accept, "application/json"), .any.header("X-TAG", "2"), .any.withoutHeader(.authorization),
            .any.host("API.example.com:8080"), .any.json(["age": 36, "tags": ["x", "y"], "name": "Ada"]),
            .any.json(containing: ["name": "Ada"]), .any.body(request.body), .any.where("has tags") { $0.json?["tags"] != nil },
            .post("users").query("page", "2").header("x-tag").json(containing: ["tags": ["x", "y"]]),
        ]
        for matcher in matchers { #expect(request.differences(from: matcher).isEmpty) }
    }

    @Test("Each difference has the expected and the found value")
    func differences() {
        func said(_ matcher: RequestMatcher) -> [String] { request.differences(from: matcher).map(\.description) }
        #expect(said(.get("/users/{id}")) == ["method: expected GET, found POST", "path: expected /users/{id}, found /v1/users"])
        #expect(said(.any.query("page", "3")) == ["query page: expected 3, found 2"])
        #expect(said(.any.query("tag", "c")) == ["query tag: expected c, found a, b c"])
        #expect(said(.any.query("size")) == ["query size: expected one, found none"])
        #expect(said(.any.withoutQuery("flag")) == ["query flag: expected none, found "])
        #expect(said(.any.header(.accept, "text/html")) == ["header Accept: expected text/html, found application/json"])
        #expect(said(.any.withoutHeader("X-Tag")) == ["header X-Tag: expected none, found 1, 2"])
        #expect(said(.any.host("example.com")) == ["host: expected example.com, found api.example.com:8080"])
        #expect(said(.any.body("x")).count == 1 && said(.any.form(["a": "b"])).count == 1)
        #expect(
            said(.any.where("is small") { $0.body.count < 9 }) == ["condition: expected is small, found a request for which it is false"])
    }

    @Test("Differences of JSON bodies have a JSON pointer (RFC 6901); the order of members and 1.0 for 1 do not count")
    func json() {
        func said(_ matcher: RequestMatcher) -> [String] { request.differences(from: matcher).map(\.description) }
        #expect(
            said(.any.json(["name": "Bob", "tags": ["x", "z", 1], "a/b": nil])) == [
                #"body /a~1b: expected null, found nothing"#, #"body /age: expected nothing, found 36.0"#,
                #"body /name: expected "Bob", found "Ada""#, #"body /tags/1: expected "z", found "y""#,
                #"body /tags/2: expected 1, found nothing"#,
            ])
        #expect(said(.any.json(containing: ["tags": ["x"]])) == [#"body /tags/1: expected nothing, found "y""#])
        #expect(RequestSnapshot(url: "/").differences(from: .any.json(["a": 1])).map(\.found) == ["no body"])
        #expect(RequestSnapshot(url: "/", body: Data("<a>".utf8)).differences(from: .any.json(1)).count == 1)
        let large = RequestSnapshot(url: "/", body: Data("[9007199254740993, 1.0, 2]".utf8))
        #expect(large.matches(.any.json([9_007_199_254_740_993, 1, 2.0])))
        #expect(!large.matches(.any.json([9_007_199_254_740_992, 1, 2])))
        let many = JSONValue.array(JSONArray((0..<500).map { JSONValue.integer($0) }))
        #expect(RequestSnapshot(url: "/", body: Data("[]".utf8)).differences(from: .any.json(many)).count == 20)
    }

    @Test("A form is compared by decoded fields, in any order")
    func form() {
        let form = RequestSnapshot(url: "/", body: Data("b=2%2B&a=x+y&a=z".utf8))
        #expect(form.matches(.any.form(["a": "x y", "b": "2+", "a": "z"])))
        #expect(!form.matches(.any.form(["a": "x y", "b": "2+"])) && !form.matches(.any.form(["a": "x y", "b": "2+", "a": "w"])))
    }

    @Test("Secrets are masked in differences and in descriptions of matchers")
    func secrets() {
        let request = RequestSnapshot(
            url: "https://a.example/x?api_key=s3cret", headers: [.authorization: "Bearer s3cret", "X-Session-Token": "s3cret"],
            body: Data(#"{"password":"s3cret","a":{"token":"s3cret"}}"#.utf8))
        let matcher = RequestMatcher.get("/y?token=t0psecret").query("api_key", "t0psecret").header(.authorization, "t0psecret")
            .header("X-Session-Token", "t0psecret").json(["password": "t0psecret", "a": ["token": "t0psecret"]]).body("password=t0psecret")
            .form(["password": "t0psecret"])
        let text = "\(matcher)" + request.differences(from: matcher).map(\.description).joined(separator: "\n") + "\(request)"
        #expect(!text.contains("s3cret") && !text.contains("t0psecret"))
        #expect(request.differences(from: matcher).count >= 8)
    }

    @Test("A missing request has one difference")
    func missing() {
        let none: HTTPRequest? = nil
        #expect(!none.matches(.any))
        #expect(none.differences(from: .get("/x")).map(\.description) == ["request: expected GET /x, found none"])
    }

    @Test("The description of a matcher shows its parts")
    func descriptions() {
        let matcher = RequestMatcher.post("/users/{id}?page=2").header(.accept, "a/b").withoutHeader(.range).host("h")
            .json(containing: ["a": [1, true]])
        #expect("\(matcher)" == #"POST /users/{id} ?page=2 [Accept: a/b] without [Range] to h json with {"a":[1,true]}"#)
        #expect("\(RequestMatcher.any)" == "any request")
    }
}

@Suite("RequestMatcher: starting points", .timeLimit(.minutes(5)))
struct RequestMatcherStartingTests {
    private let request = HTTPRequest(
        method: .post, url: URL(string: "https://api.example/x?page=2")!, headers: ["X-A": "1"], body: HTTPBody(#"{"a":1}"#))

    @Test("A matcher begins with any part, as if it followed `any`")
    func parts() {
        let matching: [RequestMatcher] = [
            .host("api.example"), .query("page"), .query("page", "2"), .header("X-A", "1"), .json(["a": 1]),
            .where("is a POST") { $0.method == .post },
        ]
        for matcher in matching { #expect(matcher.differences(in: request).isEmpty, "\(matcher)") }
        let others: [RequestMatcher] = [
            .host("b.example"), .query("other"), .header("X-B"), .json(["a": 2]), .where("never") { _ in false },
        ]
        for matcher in others { #expect(!matcher.differences(in: request).isEmpty, "\(matcher)") }
    }
}
