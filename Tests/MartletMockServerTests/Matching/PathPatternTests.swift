import MartletTesting
import Testing

@testable import MartletMockServer

@Suite(.timeLimit(.minutes(5))) struct PathPatternTests {
    static let fitting: [(pattern: String, path: String, parameters: [String: String])] = [
        ("/", "/", [:]),
        ("/users/1", "/users/1", [:]),
        ("/users/{id}", "/users/1", ["id": "1"]),
        ("/users/{id}", "/users/a%20b%2Fc", ["id": "a b/c"]),
        ("/{a}/x/{b}", "/1/x/2", ["a": "1", "b": "2"]),
        ("/a b/ü", "/a%20b/%C3%BC", [:]),
        ("/users/*", "/users/", [:]),
        ("/files/**", "/files", [:]),
        ("/files/**", "/files/a/b/c", [:]),
        ("/files/{name}/**", "/files/a/b", ["name": "a"]),
        ("/**", "/", [:]),
        ("users/{id}", "/users/1", ["id": "1"]),
        ("users/{id}", "/api/v1/users/1", ["id": "1"]),
        ("users/{id}", "/users/users/1", ["id": "1"]),
        ("**", "/a/b", [:]),
    ]

    @Test("A pattern matches paths of its form and returns its decoded parameters", arguments: fitting)
    func fits(_ sample: (pattern: String, path: String, parameters: [String: String])) {
        #expect(PathPattern(sample.pattern).parameters(of: sample.path) == sample.parameters)
    }

    @Test(
        "A pattern does not match more, fewer or other segments, another case, or a trailing slash",
        arguments: [
            ("/users/1", "/users/2"), ("/users/{id}", "/users"), ("/users/{id}", "/users/1/x"), ("/users", "/users/"),
            ("/users/", "/users"), ("/users", "/Users"), ("/users", "/v1/users"), ("/files/**", "/file"), ("users/{id}", "/users/1/x"),
            ("users", "/myusers"), ("/a/*", "/a"), ("/a%7Bb", "/a"),
        ])
    func fitsNot(_ pattern: String, _ path: String) {
        #expect(PathPattern(pattern).problem == nil && PathPattern(pattern).parameters(of: path) == nil)
    }

    @Test("Encoded braces are ordinary characters of a path")
    func encodedBraces() {
        #expect(PathPattern("/a%7Bb%7D").parameters(of: "/a%7Bb%7D") == [:])
        #expect(PathPattern("/proxy/https://a.example").parameters(of: "/proxy/https://a.example") == [:])
    }

    @Test(
        "An invalid pattern matches nothing and says why",
        arguments: ["/a/**/b", "/{}", "/{id", "/id}", "/x{id}", "/{a}/{a}", "/{{a}}", "", "/x#f", "https://a.example/x"])
    func problems(_ pattern: String) {
        #expect(PathPattern(pattern).problem != nil)
        #expect(PathPattern(pattern).parameters(of: pattern) == nil)
        let differences = RequestMatcher.path(pattern).differences(in: RequestSnapshot(url: pattern))
        #expect(differences.first?.expected.contains("matches nothing") == true)
    }
}
