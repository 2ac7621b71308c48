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
