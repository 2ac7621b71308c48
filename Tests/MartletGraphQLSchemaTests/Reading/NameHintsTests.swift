import Testing

@testable import MartletGraphQLSchema

@Suite("NameHints", .timeLimit(.minutes(5)))
struct NameHintsTests {
    @Test(
        "Names that are like a misspelled one are suggested, the most similar first",
        arguments: [
            ("nmae", ["name"]), ("NAME", ["name"]), ("N", []), ("nam", ["name"]), ("names", ["name"]), ("xyz", []), ("", []),
            ("heros", ["heroes", "hero", "heroId"]), ("heroid", ["heroId", "heroes", "hero"]), ("createdat", ["createdAt"]),
            ("hero", ["heroes", "heroId"]),
            (String(repeating: "a", count: 1000), []),
        ])
    func similar(name: String, expected: [String]) {
        var hints = NameHints(["heroes", "hero", "heroId", "name", "createdAt"])
        #expect(hints.similar(to: name) == expected)
    }

    @Test("A hint names at most three")
    func text() {
        var hints = NameHints(["aa", "ab", "ac", "ad"])
        #expect(hints.text(for: "a") == "")
        #expect(hints.text(for: "ax", prefix: "@") == #" (did you mean "@aa", "@ab" or "@ac"?)"#)
        #expect(hints.text(for: "zzzz") == "")
    }

    @Test("After the limit, names are not compared")
    func limit() {
        var hints = NameHints(["name"], limit: 1)
        #expect(hints.similar(to: "nam") == ["name"])
        #expect(hints.similar(to: "nam") == [])
    }
}
