import Foundation
import MartletClient
import Testing

@Suite(.timeLimit(.minutes(5))) struct PathTests {
    struct UserID: RawRepresentable { let rawValue: Int }
    struct OrderID: RawRepresentable { let rawValue: UUID }
    enum Kind: String { case new = "brand new" }

    @Test("Only illegal characters of a literal are escaped")
    func literals() {
        #expect(("users/a b/é" as Path).text == "users/a%20b/%C3%A9")
        #expect(("a%20b/100%" as Path).text == "a%20b/100%25")
        #expect(("v1/items:search;x=1,2@3" as Path).text == "v1/items:search;x=1,2@3")
    }

    @Test("Each interpolation is one segment in which every character except the unreserved ones is escaped (RFC 3986 §2.3)")
    func values() {
        #expect(("u/\("a/b?c#d&e=f%20")/p" as Path).text == "u/a%2Fb%3Fc%23d%26e%3Df%2520/p")
        #expect(("u/\("Aa0-._~")" as Path).text == "u/Aa0-._~")
    }

    @Test("Numbers, identifiers, enums and wrappers can be interpolated")
    func valueTypes() {
        let id = UUID()
        #expect(
            ("\(7)/\(id)/\(UserID(rawValue: 3))/\(Kind.new)/\(OrderID(rawValue: id))/\(true)/\("x".prefix(1))" as Path).text
                == "7/\(id.uuidString)/3/brand%20new/\(id.uuidString)/true/x")
    }

    @Test("The template has a placeholder for each value")
    func template() {
        #expect(("users/\(1)/posts/\("x")" as Path).template == "users/{}/posts/{}")
    }

    @Test(
        "A dot segment is refused, escaped or not",
        arguments: [
            "\("..")" as Path, "a/\(".")/b", "a/..", "./a", "a/%2e%2E/b", "\(".")\(".")", Path(segments: ["a", ".."]), "a/\("%2e")x/../b",
        ])
    func dots(path: Path) {
        #expect(path.problem != nil)
    }

    @Test("Dots within a segment are allowed", arguments: ["a/\("..a")" as Path, "a/...", "v1.0/x", "\("%2e%2e")", "q?x=../.."])
    func harmlessDots(path: Path) {
        #expect(path.problem == nil)
    }

    @Test(
        "An empty value, control characters, a fragment, and a path that would leave the base URL are refused",
        arguments: [
            "a/\("")/b" as Path, "a/\("x\r\ny")", "a/\("\u{0}")", "a\u{7F}", "a#b", "//evil.example/a", "https://evil.example/a",
            "ftp://x", "a\r\nb",
        ])
    func refused(path: Path) {
        #expect(path.problem != nil)
    }

    @Test("A question mark in a literal starts a query, in which a value may be empty")
    func query() {
        let path: Path = "search?q=\("")&x=\("a&b")"
        #expect(path.problem == nil)
        #expect(path.text == "search?q=&x=a%26b")
    }

    @Test("Raw text keeps its escapes, delimiters and dots, and only characters that can't be sent are refused")
    func raw() throws {
        #expect(Path(raw: "t?a=%20[1]&b=100%").text == "t?a=%20%5B1%5D&b=100%25")
        #expect(("x/\(raw: "a%2Fb|")" as Path).text == "x/a%2Fb%7C")
        let request = try Request<Data>.get(Path(raw: "t?a=%20[1]")).httpRequest(baseURL: URL(string: "https://h/"))
        #expect(request.url.absoluteString == "https://h/t?a=%20%5B1%5D")
        #expect(Path(raw: "a%2Fb/../c?x=1").problem == nil)
        #expect(("x/\(raw: "a/b")/\("c/d")" as Path).text == "x/a/b/c%2Fd")
        #expect(("x/\(raw: "../c?a=")\("")" as Path).problem == nil)
        #expect(Path(raw: "a b").problem != nil)
        #expect(Path(raw: "a\nb").problem != nil)
        #expect(Path(raw: "caf\u{e9}").problem != nil)
        #expect(("x/\(raw: "a#b")" as Path).problem != nil)
    }

    @Test("Raw text with a template of its own is checked as a literal is")
    func rawWithTemplate() {
        let path = Path(raw: "/users/a%2Fb?x=[1]", template: "getUser")
        #expect(path.text == "/users/a%2Fb?x=%5B1%5D")
        #expect(path.template == "getUser")
        #expect(path.problem == nil)
        for text in ["//h/x", "a/../b", "a/%2E", "https://h/x", "a#b", "a b", "caf\u{e9}"] {
            #expect(Path(raw: text, template: "getUser").problem != nil)
        }
    }

    @Test("Paths that are sent identically are equal")
    func equality() {
        #expect(("users/\(1)" as Path) == "users/1")
        #expect(("users/\("a b")" as Path) == "users/a%20b")
        #expect(Path(segments: ["a/b", "c"]) == "a%2Fb/c")
    }

    @Test("A leading slash makes no difference, because the path stays below that of the base URL")
    func leadingSlash() throws {
        let base = URL(string: "https://h/v1")
        func sent(_ path: Path) throws -> String { try Request<Data>.get(path).httpRequest(baseURL: base).url.absoluteString }
        for (one, other) in [("/users", "users"), ("/users/\("a")?b=/c", "users/a?b=/c"), (Path(raw: "//a"), "a")] as [(Path, Path)] {
            #expect(one == other && one.hashValue == other.hashValue)
            #expect(try sent(one) == sent(other))
        }
        for (one, other) in [("/", ""), ("/?a", "?a"), ("a/", "a"), ("a", "b")] as [(Path, Path)] {
            #expect(one != other)
            #expect(try sent(one) != sent(other))
        }
        #expect(("//users" as Path) != "users")  // invalid
    }
}
