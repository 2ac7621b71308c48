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

    @Test("Only the fragment is removed")
    func fragments() {
        #expect(URLReference.withoutFragment(URL(string: "https://h/a?b#c")!).absoluteString == "https://h/a?b")
        #expect(URLReference.withoutFragment(base) == base)
    }
}
