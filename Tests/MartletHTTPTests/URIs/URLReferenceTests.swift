import Foundation
import Testing

@testable import MartletHTTP

@Suite("URLReference", .timeLimit(.minutes(5)))
struct URLReferenceTests {
    private let base = URL(string: "https://h/a/b?x=1")!

    @Test("References are resolved against the response's URL (RFC 3986 §5)")
    func resolving() {
        for (text, url) in [
            ("c", "https://h/a/c"), (" /c\t", "https://h/c"), ("?y=2", "https://h/a/b?y=2"), ("http://i/", "http://i/"),
            ("../../c", "https://h/c"),
        ] {
            #expect(URLReference.resolve(text, against: base)?.absoluteString == url)
        }
        #expect(URLReference.resolve("a\nb", against: base) == nil && URLReference.resolve("a\u{7F}", against: base) == nil)
    }

    @Test(
        "Escapes stay when another character is illegal",
        arguments: [
            ("/t?a=%20[1]", "https://h/t?a=%20%5B1%5D"),
            ("?page[number]=2&page[cursor]=abc%3D%3D", "https://h/a/b?page%5Bnumber%5D=2&page%5Bcursor%5D=abc%3D%3D"),
            ("/a b%2Fc", "https://h/a%20b%2Fc"), ("/%e2%82%AC|", "https://h/%e2%82%AC%7C"), ("/x#%20[", "https://h/x#%20%5B"),
            ("https://i/%2e%2E/[x]", "https://i/%2e%2E/%5Bx%5D"),
        ])
    func escapes(text: String, expected: String) { #expect(resolved(text) == expected) }

    @Test(
        "Each illegal character is escaped, and each percent sign that begins no escape",
        arguments: [
            ("/100%", "https://h/100%25"), ("/%zz%4", "https://h/%25zz%254"), ("/%%41", "https://h/%25%41"),
            ("/\"<>\\^`{|}", "https://h/%22%3C%3E%5C%5E%60%7B%7C%7D"), ("/caf\u{e9}?\u{20ac}", "https://h/caf%C3%A9?%E2%82%AC"),
            ("/a#b#c[", "https://h/a#b%23c%5B"), ("/!$&'()*+,;=:@-._~?/?", "https://h/!$&'()*+,;=:@-._~?/?"),
            ("[a]:b", "https://h/a/%5Ba%5D:b"), ("/\\evil.example/", "https://h/%5Cevil.example/"),
        ])
    func illegal(text: String, expected: String) { #expect(resolved(text) == expected) }

    @Test(
        "Dot segments are removed from relative and absolute references (RFC 3986 §5.2.4, §5.4)",
        arguments: [
            ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"), ("//g", "http://g"),
            ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"),
            (";x", "http://a/b/c/;x"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("..", "http://a/b/"), ("../..", "http://a/"),
            ("../../../g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), ("..g", "http://a/b/c/..g"),
            ("./g/.", "http://a/b/c/g/"), ("g;x=1/../y", "http://a/b/c/y"), ("g?y/../x", "http://a/b/c/g?y/../x"),
            ("g#s/../x", "http://a/b/c/g#s/../x"), ("http://i/a/../b/./c/..", "http://i/b/"), ("//i/..", "http://i/"),
            ("http://i/a//../b", "http://i/a/b"), ("http://i?a/../b", "http://i?a/../b"), ("http:/.//i/", "http:/.//i/"),
        ])
    func dots(text: String, expected: String) {
        let url = URLReference.resolve(text, against: URL(string: "http://a/b/c/d;p?q")!)
        #expect(url?.absoluteString == expected)
    }

    @Test(
        "Hosts, users and ports keep their boundaries",
        arguments: [
            ("//i", "https://i"), ("//[::1]:8080/[", "https://[::1]:8080/%5B"), ("//[fe80::1%25eth0]/", "https://[fe80::1%25eth0]/"),
            ("HTTP://I/", "HTTP://I/"), ("http://i:/", "http://i:/"), ("http://i:65535/", "http://i:65535/"),
            ("http://b\u{fc}cher.example:1/", "http://xn--bcher-kva.example:1/"),
            ("//i\u{ff0f}@b\u{fc}cher.example/", "https://i%EF%BC%8F@xn--bcher-kva.example/"),
            ("http://i\u{ff0f}b/", "http://i%EF%BC%8Fb/"), ("http://a b/", "http://a%20b/"),
            ("http://i\\.evil.example/", "http://i%5C.evil.example/"), ("http://i\\@evil.example/", "http://i%5C@evil.example/"),
            ("http://u:p@ss@i/", "http://u:p%40ss@i/"), ("//\u{308}i/\u{308}?\u{308}", "https://%CC%88i/%CC%88?%CC%88"),
        ])
    func authorities(text: String, expected: String) { #expect(resolved(text) == expected) }

    @Test(
        "Invalid ports, addresses and control characters are refused",
        arguments: [
            "http://i:abc/", "http://i:65536/", "http://i:99999999999999999999/", "http://i:-1/", "http://i:1:2/", "http://i: 80/",
            "http://[::1/", "http://[::1]i/", "//i:x", "/a\nb", "/a\u{0}", "/a\u{7F}", "/a\tb",
        ])
    func refused(text: String) { #expect(resolved(text) == nil) }

    @Test("A text without a base must be absolute")
    func absolute() {
        #expect(URLReference.absolute(" https://h/a%20[ ")?.absoluteString == "https://h/a%20%5B")
        for text in ["/a", "", "//h", "a b", "http://h:abc"] { #expect(URLReference.absolute(text) == nil, "\(text)") }
    }

    @Test("A resolved reference is the same when it is resolved again", arguments: ["/%[%41]", "http://u@i\\:1/%\u{e9}", "//[::1]/../a"])
    func stable(text: String) throws {
        let once = try #require(resolved(text))
        #expect(resolved(once) == once)
    }

    private func resolved(_ text: String) -> String? { URLReference.resolve(text, against: base)?.absoluteString }

    @Test("Only the fragment is removed")
    func fragments() {
        #expect(URLReference.withoutFragment(URL(string: "https://h/a?b#c")!).absoluteString == "https://h/a?b")
        #expect(URLReference.withoutFragment(base) == base)
    }
}
