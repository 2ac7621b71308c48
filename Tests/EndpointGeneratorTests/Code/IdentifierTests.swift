import Testing

@testable import EndpointGenerator

@Suite("Names", .timeLimit(.minutes(5)))
struct IdentifierTests {
    @Test(
        "A member's name becomes a property's name",
        arguments: [
            ("id", "id"), ("userId", "userId"), ("user_id", "userID"), ("UserName", "userName"), ("ID", "id"), ("avatar-url", "avatarURL"),
            ("HTTPServer", "httpServer"), ("2fa", "value2fa"), ("+1", "plus1"), ("-1", "minus1"), ("@type", "atType"), ("", "value"),
            ("$", "dollar"), ("a.b c", "aBC"), ("größe", "größe"), ("🎉", "value"), ("self", "selfValue"), ("_id", "id"), ("IDs", "ids"),
            ("__typename", "typename"), ("hashValue", "hashValueValue"), ("X", "x"), ("名前", "名前"),
            ("\u{301}a", "value\u{301}a"), ("a\u{3164}b", "aB"), ("\u{34F}", "value"),
            (String(repeating: "ab", count: 30), String(repeating: "ab", count: 25)),
        ])
    func properties(_ member: String, _ name: String) { #expect(Identifier.property(member) == name) }

    @Test(
        "A name becomes a type's name",
        arguments: [
            ("order_items", "OrderItems"), ("user", "User"), ("2fa", "Value2fa"), ("", "Value"), ("api_url", "APIURL"),
            ("userIds", "UserIDs"), ("\u{301}a", "Value\u{301}a"),
        ])
    func types(_ text: String, _ name: String) { #expect(Identifier.type(text) == name) }

    @Test("A target's name becomes that of its module", arguments: [("My-App", "My_App"), ("1 a", "__a"), ("App", "App"), ("_a", "_a")])
    func modules(_ target: String, _ name: String) {
        #expect(Identifier.module(target) == name)
        #expect(Identifier.isModuleName(name))
    }

    @Test("A module's name adds no code", arguments: ["A; import B", "my-app", "1a", "import", "", "_", "A\nB"])
    func invalidModules(_ name: String) {
        #expect(!Identifier.isModuleName(name))
        #expect(throws: GeneratorError.invalidModule(name)) { try plan { $0.module = name } }
    }

    @Test(
        "Plurals have singulars",
        arguments: [
            ("orders", "order"), ("categories", "category"), ("addresses", "address"), ("boxes", "box"), ("people", "person"),
            ("order_items", "order_item"), ("status", "status"), ("news", "news"), ("movies", "movie"), ("statuses", "status"),
            ("Children", "Child"), ("analysis", "analysis"), ("address", "address"), ("s", "s"), ("ids", "id"), ("branches", "branch"),
        ])
    func plurals(_ plural: String, _ singular: String) { #expect(Plurals.singular(plural) == singular) }

    @Test("A free name takes few look-ups, however many are taken")
    func unused() {
        var taken: Set<String> = ["a2"], numbers: [String: Int] = [:], lookups = 0
        for _ in 0..<1_000 {
            taken.insert(
                Identifier.unused("a", after: &numbers) { name in
                    lookups += 1
                    return taken.contains(name)
                })
        }
        #expect(taken.count == 1_001 && taken.isSuperset(of: ["a", "a3", "a1001"]) && lookups < 5_000, "\(lookups)")
    }

    @Test("String literals hide no character")
    func literals() {
        #expect(SourceText.quoted("a\"b\\(c)\n\u{7}\u{202E}é") == #""a\"b\\(c)\n\u{7}\u{202e}é""#)
        #expect(SourceText.rawQuotes(for: ##"{"a":"\\#(x)"}"##).start == "##\"\"\"")
        #expect(SourceText.comment("a\nb`c\u{2028}d") == "a?b?c?d")
    }

    @Test("Fillers without width are not copied, and emoji are")
    func fillers() {
        #expect(SourceText.quoted("a\u{3164}\u{34F}❤\u{FE0F}") == "\"a\\u{3164}\\u{34f}❤\u{FE0F}\"")
    }

    @Test("Numbers with seven digits have groups")
    func groups() {
        let grouped = ["123456", "1234567", "-1234567", "12345678901"].map(SourceText.grouped)
        #expect(grouped == ["123456", "1_234_567", "-1_234_567", "12_345_678_901"])
    }
}
