import Testing

@testable import MartletHTTP

@Suite(.timeLimit(.minutes(5))) struct ValidatorTests {
    private static let early = "Mon, 01 Jan 2024 00:00:00 GMT"
    private static let late = "Mon, 01 Jan 2024 00:00:01 GMT"

    @Test("A valid entity tag without W/ is strong (RFC 9110 §8.8.3)")
    func tags() {
        #expect(Validator(of: [.eTag: "\"v1\""])?.text == "\"v1\"")
        for tag in ["W/\"v1\"", "v1", "\"", "\"a\"b\"", "\"a b\""] { #expect(Validator(of: [.eTag: tag]) == nil, "\(tag)") }
    }

    @Test("A date does not replace a weak tag; a date is strong if it is a second before Date (RFC 9110 §8.8.2.2)")
    func dates() {
        #expect(Validator(of: [.lastModified: Self.early, .date: Self.late])?.text == Self.early)
        #expect(Validator(of: [.lastModified: Self.early, .date: Self.early]) == nil)
        #expect(Validator(of: [.lastModified: Self.early]) == nil)
        #expect(Validator(of: [.lastModified: "yesterday", .date: Self.late]) == nil)
        #expect(Validator(of: [.eTag: "W/\"v\"", .lastModified: Self.early, .date: Self.late]) == nil)
    }

    @Test("A different validator of the same kind means another representation; a missing one means nothing")
    func allows() throws {
        let tag = try #require(Validator(kept: "\"v1\"")), date = try #require(Validator(kept: Self.early))
        #expect(tag.allows([.eTag: "\"v1\""]) && tag.allows([:]) && !tag.allows([.eTag: "\"v2\""]) && !tag.allows([.eTag: "W/\"v1\""]))
        #expect(date.allows([.lastModified: Self.early, .eTag: "\"x\""]) && !date.allows([.lastModified: Self.late]))
        #expect(Validator(kept: "W/\"v1\"") == nil && Validator(kept: "x\r\ny") == nil)
    }

    @Test("Validators that are equal in Unicode but have other bytes belong to different representations")
    func bytes() throws {
        let composed = try #require(Validator(of: [.eTag: "\"é\""])), other = try #require(Validator(of: [.eTag: "\"e\u{301}\""]))
        #expect(composed != other && composed == Validator(kept: "\"é\""))
        #expect(!composed.allows([.eTag: other.text]) && composed.allows([.eTag: composed.text]))
        #expect(!composed.matches(other.text) && composed.matches(" \(composed.text)\t"))
    }

    @Test("A validator that is invalid in a request is ignored")
    func invalid() {
        for odd in ["\"a\u{1}b\"", "\"a\u{7F}\"", "\"a\0\""] {
            #expect(Validator(of: [.eTag: odd]) == nil && Validator(kept: odd) == nil && EntityTag(odd) == nil)
        }
        for odd in [Self.early + "\u{1}", "\u{1}" + Self.early, Self.early.replacing(" Jan", with: "\u{B}Jan")] {
            #expect(Validator(of: [.lastModified: odd, .date: Self.late]) == nil && Validator(kept: odd) == nil)
        }
    }
}

@Suite("Entity tags", .timeLimit(.minutes(5)))
struct EntityTagTests {
    private struct Row {
        let section: String
        let first: String
        let second: String
        let isWeak: Bool
    }

    private static let rows = [
        Row(section: "RFC 9110 §8.8.3.2: table, 1", first: "W/\"1\"", second: "W/\"1\"", isWeak: true),
        Row(section: "RFC 9110 §8.8.3.2: table, 2", first: "W/\"1\"", second: "W/\"2\"", isWeak: false),
        Row(section: "RFC 9110 §8.8.3.2: table, 3", first: "W/\"1\"", second: "\"1\"", isWeak: true),
        Row(section: "RFC 9110 §8.8.3.2: table, 4", first: "\"1\"", second: "\"1\"", isWeak: true),
        Row(section: "RFC 9110 §8.8.3: case has a meaning", first: "\"a\"", second: "\"A\"", isWeak: false),
        Row(section: "RFC 9110 §8.8.3: a small w is no mark", first: "w/\"1\"", second: "\"1\"", isWeak: false),
        Row(section: "RFC 9110 §8.8.3: the mark in quotes", first: "\"W/1\"", second: "\"1\"", isWeak: false),
        Row(section: "RFC 9110 §8.8.3: without quotes", first: "1", second: "1", isWeak: true),
        Row(section: "RFC 9110 §8.8.3: with and without", first: "\"1\"", second: "1", isWeak: false),
        Row(section: "RFC 9110 §8.8.3: by bytes", first: "\"é\"", second: "\"e\u{301}\"", isWeak: false),
        Row(section: "RFC 9110 §8.8.3: by bytes, weak", first: "W/\"\u{C5}\"", second: "W/\"\u{212B}\"", isWeak: false),
        Row(section: "RFC 9110 §8.8.3: nothing in quotes", first: "\"\"", second: "\"\"", isWeak: true),
    ]

    @Test("Weak comparison is symmetric (RFC 9110 §8.8.3.2)", arguments: rows.indices)
    func compares(_ index: Int) throws {
        let row = Self.rows[index]
        let first = try #require(EntityTag(row.first)), second = try #require(EntityTag(row.second))
        for (left, right) in [(first, second), (second, first)] {
            #expect(left.matchesWeakly(right) == row.isWeak, "\(row.section)")
        }
        #expect((first == second) == row.first.utf8.elementsEqual(row.second.utf8), "\(row.section)")
        #expect(first != second || first.hashValue == second.hashValue)
    }

    private static let lists: [(section: String, text: String, tags: [String])] = [
        ("RFC 9110 §13.1.2", "\"a\", \"b\"", ["\"a\"", "\"b\""]),
        ("RFC 9110 §13.1.2: weak ones", "W/\"a\",\"b\"", ["W/\"a\"", "\"b\""]),
        ("RFC 9110 §8.8.3: a comma in quotes", "\"a,b\", \",\"", ["\"a,b\"", "\",\""]),
        ("RFC 9110 §8.8.3: nothing escapes a quote", "\"a\\\", \"b\"", ["\"a\\\"", "\"b\""]),
        ("RFC 9110 §5.6.1.2: empty members", ", ,\"a\",,\t, \"b\" ,", ["\"a\"", "\"b\""]),
        ("RFC 9110 §13.1.2: a star", " * ", ["*"]), ("RFC 9110 §8.8.3: without quotes", "a, b", ["a", "b"]),
        ("RFC 9110 §8.8.3: a quote that does not end", "\"a\", \"b, \"c", ["\"a\"", "\"b, \"c"]),
        ("RFC 9110 §8.8.3: a quote at the end", "\"a, b", ["\"a, b"]), ("RFC 9110 §5.6.1.2: nothing", "", []),
        ("RFC 9110 §5.6.1.2: white space", " \t ", []),
    ]

    @Test("A list of tags is split at commas outside quotes", arguments: lists.indices)
    func list(_ index: Int) {
        let row = Self.lists[index]
        #expect(EntityTag.list(row.text).map(\.text) == row.tags, "\(row.section)")
    }

    @Test("White space around a tag is removed, and an empty value is not a tag (RFC 9110 §5.5)")
    func trims() {
        #expect(EntityTag(" \t\"a\" ")?.text == "\"a\"" && EntityTag("") == nil && EntityTag(" \t") == nil)
    }
}
