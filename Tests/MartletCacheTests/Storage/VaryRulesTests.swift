import Testing

@testable import MartletCache

@Suite("Vary", .timeLimit(.minutes(5)))
struct VaryRulesTests {
    private struct Row {
        let section: String
        let vary: HTTPFields
        let first: HTTPFields
        let second: HTTPFields
        var language: String?
        let fits: Bool
    }

    private static func row(
        _ section: String, _ vary: String, _ first: HTTPFields, _ second: HTTPFields, language: String? = nil, fits: Bool
    ) -> Row {
        Row(section: section, vary: [.vary: vary], first: first, second: second, language: language, fits: fits)
    }

    private static let rows = [
        row("RFC 9111 §4.1: the same", "Foo", ["Foo": "1"], ["foo": "1"], fits: true),
        row("RFC 9111 §4.1: another", "Foo", ["Foo": "1"], ["Foo": "2"], fits: false),
        row("RFC 9111 §4.1: equal in Unicode only", "Accept", ["Accept": "é"], ["Accept": "e\u{301}"], fits: false),
        row("RFC 9111 §4.1: gone", "Foo", ["Foo": "1"], [:], fits: false),
        row("RFC 9111 §4.1: new", "Foo", [:], ["Foo": "1"], fits: false),
        row("RFC 9111 §4.1: in neither", "Foo", [:], [:], fits: true),
        row("RFC 9111 §4.1: empty is there", "Foo", ["Foo": ""], [:], fits: false),
        row("RFC 9111 §4.1: not named", "Bar", ["Foo": "1"], ["Foo": "2"], fits: true),
        row("RFC 9111 §4.1: names in any case", "fOO", ["Foo": "1"], ["FOO": "2"], fits: false),
        row("RFC 9111 §4.1: all of several", ",Foo,, Bar ", ["Foo": "1", "Bar": "1"], ["Foo": "1", "Bar": "1"], fits: true),
        row("RFC 9111 §4.1: one of several", "Foo, Bar", ["Foo": "1", "Bar": "1"], ["Foo": "1", "Bar": "2"], fits: false),
        Row(
            section: "RFC 9111 §4.1: several lines", vary: [.vary: "Foo", "vary": "Bar"], first: ["Bar": "1"], second: ["Bar": "2"],
            fits: false),
        row("RFC 9111 §4.1: lines as one", "Foo", ["Foo": "1", "foo": "2"], ["Foo": "1,2"], fits: true),
        row("RFC 9111 §4.1: white space", "Foo", ["Foo": "1,2"], ["Foo": "1 ,\t2"], fits: true),
        row("RFC 9111 §4.1: order has a meaning", "Foo", ["Foo": "1, 2"], ["Foo": "2, 1"], fits: false),
        row("RFC 9111 §4.1: case has a meaning", "Foo", ["Foo": "a"], ["Foo": "A"], fits: false),
        row("RFC 9111 §4.1: empty members may have a meaning", "Foo", ["Foo": "1,,2"], ["Foo": "1,2"], fits: false),
        row("RFC 9111 §4.1: white space inside", "Foo", ["Foo": "1  2"], ["Foo": "1 2"], fits: false),
        row("RFC 9110 §5.6.4: white space in quotes", "Foo", ["Foo": "\"1,2\""], ["Foo": "\"1, 2\""], fits: false),
        row("RFC 9110 §5.6.4: quotes are no members", "Foo", ["Foo": "\"1, 2\""], ["Foo": "1, 2"], fits: false),
        row("RFC 9110 §5.6.4: behind an escaped quote", "Foo", ["Foo": "\"a\\\",b\", c"], ["Foo": "\"a\\\", b\", c"], fits: false),
        row("RFC 9110 §12.5.4: case", "Accept-Language", ["Accept-Language": "EN"], ["Accept-Language": "en"], fits: true),
        row("RFC 9110 §12.5.4: equal ones", "Accept-Language", ["Accept-Language": "en, de"], ["Accept-Language": "de,en,"], fits: true),
        row(
            "RFC 9110 §12.5.4: weights", "Accept-Language", ["Accept-Language": "en, de;q=0.5"], ["Accept-Language": "de;q=0.5, en"],
            fits: true),
        row(
            "RFC 9110 §12.5.4: other weights", "Accept-Language", ["Accept-Language": "en, de;q=0.5"], ["Accept-Language": "en, de"],
            fits: false),
        row(
            "RFC 9110 §12.5.3: equal ones", "Accept-Encoding", ["Accept-Encoding": "gzip, br"], ["Accept-Encoding": "br, GZIP"], fits: true),
        row("RFC 9110 §12.5.3: another", "Accept-Encoding", ["Accept-Encoding": "gzip"], ["Accept-Encoding": "br"], fits: false),
        row(
            "RFC 9110 §12.5.4: in the language preferred", "Accept-Language", ["Accept-Language": "en, de"],
            ["Accept-Language": "EN, fr;q=0.5"], language: "en", fits: true),
        row(
            "RFC 9110 §12.5.4: in an equally preferred language", "Accept-Language", ["Accept-Language": "en, de"],
            ["Accept-Language": "en, fr"], language: "en", fits: false),
        row(
            "RFC 9110 §12.5.4: in an unacceptable language", "Accept-Language", ["Accept-Language": "en, de"],
            ["Accept-Language": "en;q=0"],
            language: "en", fits: false),
        row(
            "RFC 9110 §12.5.4: in a less preferred language", "Accept-Language", ["Accept-Language": "en"],
            ["Accept-Language": "de, en;q=0.5"], language: "en", fits: false),
        row("RFC 9110 §12.5.4: no wish", "Accept-Language", ["Accept-Language": "en"], [:], language: "en", fits: false),
        row(
            "RFC 9110 §12.5.4: the language is not all", "Accept-Language, Foo", ["Accept-Language": "en", "Foo": "1"],
            ["Accept-Language": "en, de;q=0.1", "Foo": "2"], language: "en", fits: false),
        row(
            "RFC 9110 §12.4.2: invalid weights", "Accept-Language", ["Accept-Language": "x"],
            ["Accept-Language": "en;q=nan, de;q=inf, fr;q=0x9"], language: "en", fits: false),
    ]

    @Test("A response matches a request with equal selecting fields (RFC 9111 §4.1)", arguments: rows.indices)
    func fits(_ index: Int) throws {
        let row = Self.rows[index]
        var headers = row.vary
        headers[.contentLanguage] = row.language
        let variant = try #require(VaryRules.variant(of: row.first, for: headers))
        #expect(VaryRules.fits(CacheSample.stored(headers, variant: variant), row.second) == row.fits, "\(row.section)")
        #expect(VaryRules.fits(CacheSample.stored(headers, variant: variant), row.first), "\(row.section): the request itself")
    }

    @Test(
        "A star or an invalid name in Vary matches no request (RFC 9111 §4.1)",
        arguments: ["*", " * ", ",*", "Foo,*", "*, *", "Foo Bar", "Foo:1:x", "Foo;q=1", "\"Foo\"", "Fôo", "Foo,\u{301}Bar"])
    func stars(_ text: String) {
        #expect(VaryRules.names([.vary: text]) == nil)
        #expect(VaryRules.variant(of: ["Foo": "1"], for: [.vary: text]) == nil)
        #expect(VaryRules.names([.vary: "Foo", "vary": text]) == nil)
    }

    @Test("Names are sorted, lowercased and unique, and a missing or empty Vary has none (RFC 9110 §12.5.5)")
    func names() {
        #expect(VaryRules.names([.vary: "Foo, bar", "vary": "FOO,,Accept"]) == ["accept", "bar", "foo"])
        #expect(VaryRules.names([:]) == [] && VaryRules.names([.vary: ""]) == [] && VaryRules.names([.vary: " ,"]) == [])
        #expect(VaryRules.variant(of: ["Foo": "1"], for: [:]) == CacheVariant())
    }

    @Test("Only a digest of a credential is stored, for well-known and marked fields")
    func credentials() throws {
        var marked: HTTPFields = ["X-Mine": "secret"]
        marked.markAsCredential("X-Mine")
        for (name, fields) in [("authorization", ["Authorization": "secret"]), ("cookie", ["Cookie": "secret"]), ("x-mine", marked)]
            as [(String, HTTPFields)]
        {
            let value = try #require(VaryRules.normalised(name, in: fields))
            #expect(value.hasPrefix("sha-256 ") && value.utf8.count == 72 && !value.contains("secret"), "\(name)")
        }
        let first = VaryRules.normalised("cookie", in: ["Cookie": "a", "cookie": "b"])
        #expect(
            first != VaryRules.normalised("cookie", in: ["Cookie": "a, b"])
                && first != VaryRules.normalised("cookie", in: ["Cookie": "b", "cookie": "a"]))
        #expect(VaryRules.normalised("cookie", in: [:]) == nil)
        var bytes = HTTPFields()
        bytes.append(nameBytes: "Cookie".utf8, valueBytes: [0xE9] as [UInt8])
        #expect(VaryRules.normalised("cookie", in: bytes) != VaryRules.normalised("cookie", in: ["Cookie": "é"]))
    }

    @Test("Each variant has a different text, independent of the order of the fields")
    func variantTexts() {
        typealias Selector = CacheVariant.Selector
        let variants: [[Selector]] = [
            [], [Selector(name: "a", value: nil)], [Selector(name: "a", value: "")], [Selector(name: "a-", value: nil)],
            [Selector(name: "a", value: "-")], [Selector(name: "a", value: "\nb-")],
            [Selector(name: "a", value: nil), Selector(name: "b", value: nil)],
            [Selector(name: "a", value: "1"), Selector(name: "b", value: nil)],
            [Selector(name: "a", value: "1\nb-")], [Selector(name: "a", value: nil), Selector(name: "b", value: "1")],
            [Selector(name: "a", value: "1:1")], [Selector(name: "a", value: "é")], [Selector(name: "a", value: "e\u{301}")],
        ]
        let texts = variants.map { Array(CacheVariant($0).text.utf8) }
        #expect(Set(texts).count == variants.count)
        for selectors in variants { #expect(CacheVariant(selectors.reversed()).text == CacheVariant(selectors).text) }
    }

    @Test(
        "A field named by Vary that may identify the user is stored only as a digest",
        arguments: ["X-Vault-Token", "X-Session-Id", "Cookie", "X-Query-Key", "X-Remote-User", "X-2FA-Code"])
    func secrets(name: String) throws {
        let name = HTTPFieldName(name)
        let variants = try ["s3cret", "other", nil].map { value in
            var request = HTTPFields()
            request[name] = value
            return try #require(VaryRules.variant(of: request, for: [.vary: name.rawName]))
        }
        #expect(Set(variants).count == 3)
        #expect(variants.allSatisfy { !$0.text.contains("s3cret") && !$0.text.contains("other") })
    }
}
