import Testing

@testable import MartletHTTP

@Suite("ClosingTags", .timeLimit(.minutes(5)))
struct ClosingTagsTests {
    private func first(_ name: String, in text: String, from start: Int = 0) -> Int? {
        ClosingTags(in: Array(text.utf8)).first(of: Array(name.utf8)[...], from: start)
    }

    @Test("The next closing tag of a name is found in any case, from a position on")
    func search() {
        let text = "</a>b</A ></ns:a></a"
        #expect(first("a", in: text) == 0 && first("A", in: text, from: 1) == 5 && first("a", in: text, from: 6) == 17)
        #expect(first("ns:a", in: text) == 10 && first("a", in: text, from: 18) == nil && first("b", in: text) == nil)
    }

    @Test("Text without closing tags has none", arguments: ["", "<", "</", "<a>", "< /a>"])
    func none(text: String) { #expect(first("a", in: text) == nil) }
}
