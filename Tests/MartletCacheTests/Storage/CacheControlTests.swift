import Testing

@testable import MartletCache

@Suite("Cache-Control", .timeLimit(.minutes(5)))
struct CacheControlTests {
    private struct Row {
        let section: String
        let text: String
        /// The form that `description` writes.
        let directives: String

        init(_ section: String, _ text: String, _ directives: String) {
            (self.section, self.text, self.directives) = (section, text, directives)
        }
    }

    private static let syntax = [
        Row("RFC 9111 §5.2", "max-age=60", "max-age=60"),
        Row("RFC 9111 §5.2: names in any case", "MAX-Age=60, No-STORE", "max-age=60, no-store"),
        Row("RFC 9111 §5.2: both forms of an argument", "max-age=\"60\"", "max-age=60"),
        Row("RFC 9111 §5.2.3: unknown directives are kept", "community=\"UCI\", x, y=z", "community=UCI, x, y=z"),
        Row("RFC 9110 §5.6.1.2: empty members", ",, ,max-age=60 ,\t, x,", "max-age=60, x"),
        Row("RFC 9110 §5.6.1.2: no member", " , ", ""),
        Row("RFC 9110 §5.6.1.2: nothing", "", ""),
        Row("RFC 9110 §5.6.4: a comma in quotes", "no-cache=\"a, b\", x", "no-cache=\"a, b\", x"),
        Row("RFC 9110 §5.6.4: escapes", "x=\"a\\\"b\\\\c\\d\"", "x=\"a\\\"b\\\\cd\""),
        Row("RFC 9110 §5.6.4: an escaped quote does not end", "x=\"a\\\", y=\", z", "x=\"a\\\", y=\", z"),
        Row("RFC 9110 §5.6.4: nothing in quotes", "x=\"\"", "x=\"\""),
        Row("RFC 9110 §5.6.4: non-ASCII", "x=\"é\", y", "x=\"é\", y"),
        Row("RFC 9110 §5.6.6: white space before the =", "max-age =60, x", "max-age=, x"),
        Row("RFC 9110 §5.6.6: white space after the =", "max-age= 60, x", "max-age=, x"),
        Row("RFC 9110 §5.6.2: single quotes are letters", "max-age='60'", "max-age='60'"),
        Row("RFC 9110 §5.6.2: nothing after the =", "max-age=, x", "max-age=, x"),
        Row("RFC 9110 §5.6.2: more after a token", "max-age=60 y, x", "max-age=, x"),
        Row("RFC 9110 §5.6.2: more after quotes", "max-age=\"60\"0, x", "max-age=, x"),
        Row("RFC 9110 §5.6.2: another separator", "max-age=60; no-store", "max-age="),
        Row("RFC 9110 §5.6.2: a second =", "max-age=60=60, x", "max-age=, x"),
        Row("RFC 9110 §5.6.2: no name", "=60, x", "x"),
        Row("RFC 9110 §5.6.2: quotes in place of a name", "\"max-age=60\", x", "x"),
        Row("RFC 9110 §5.6.2: non-ASCII in place of a name", "é=1, x", "x"),
        Row("RFC 9110 §5.5: control bytes in place of a name", "\u{0}\u{1F}, x\u{7F}, y", "x=, y"),
        Row("RFC 9110 §5.6.4: an unterminated quote hides nothing", "x=\"a, no-store, max-age=60", "x=, no-store=, max-age="),
        Row("RFC 9110 §5.6.4: an escape at the end", "x=\"a\\", "x="),
        Row("RFC 9110 §5.6.4: an escaped quote is not the end", "x=\"a\\\", no-store", "x=, no-store="),
        Row("RFC 9110 §5.6.4: an unterminated quote after a name", "x \"a, y", "x=, y="),
    ]

    @Test("Directives are parsed as RFC 9111 §5.2 says, and malformed ones keep their name", arguments: syntax.indices)
    func reads(_ index: Int) {
        let row = Self.syntax[index]
        #expect(CacheControl(row.text).description == row.directives, "\(row.section): \(row.text)")
    }

    @Test("A written field parses to the same directives (RFC 9111 §5.2)", arguments: syntax.indices)
    func roundTrip(_ index: Int) {
        let control = CacheControl(Self.syntax[index].text)
        #expect(CacheControl(control.description) == control, "\(Self.syntax[index].section)")
    }

    @Test("A quote followed by a combining accent is written and read as a quote (RFC 9110 §5.6.4)")
    func accents() {
        let control = CacheControl("x=\"\\\"\u{301}\\\\\u{301}, y\"")
        #expect(control.directives.map(\.argument) == ["\"\u{301}\\\u{301}, y"])
        #expect(CacheControl(control.description) == control)
    }

    @Test("Invalid UTF-8 in quotes is malformed and ends at the closing quote (RFC 9110 §5.5)")
    func bytes() {
        var fields = HTTPFields()
        fields.append(nameBytes: "Cache-Control".utf8, valueBytes: Array("max-age=\"6".utf8) + [0xFF] + Array("0\", x".utf8))
        #expect(CacheControl(fields).description == "max-age=, x")
        #expect(CacheControl(fields).maxAge == .zero)
    }

    @Test("Lines are parsed one after the other, and quotes end with their line (RFC 9110 §5.3)")
    func lines() {
        #expect(CacheControl([.cacheControl: "max-age=60", "cache-control": "no-cache", .age: "1"]).description == "max-age=60, no-cache")
        #expect(
            CacheControl([.cacheControl: "x=\"a", "cache-control": "y=\"b, c\", max-age=60"]).description == "x=, y=\"b, c\", max-age=60")
        #expect(CacheControl([.pragma: "no-cache"]).isEmpty && CacheControl([:]).isEmpty)
    }

    private struct Number {
        let section: String
        let text: String
        let seconds: CacheControl.Seconds

        init(_ section: String, _ text: String, _ seconds: CacheControl.Seconds) {
            (self.section, self.text, self.seconds) = (section, text, seconds)
        }
    }

    private static let numbers = [
        Number("RFC 9111 §1.2.2", "max-age=60", .value(60)),
        Number("RFC 9111 §1.2.2: zeros in front", "max-age=0060", .value(60)),
        Number("RFC 9111 §1.2.2: the most", "max-age=2147483648", .value(2_147_483_648)),
        Number("RFC 9111 §1.2.2: past 31 bits", "max-age=2147483649", .value(2_147_483_648)),
        Number("RFC 9111 §1.2.2: past 64 bits", "max-age=18446744073709551617", .value(2_147_483_648)),
        Number("RFC 9111 §1.2.2: past 300 digits", "max-age=" + String(repeating: "9", count: 300), .value(2_147_483_648)),
        Number("RFC 9111 §1.2.2: negative", "max-age=-1", .invalid),
        Number("RFC 9111 §1.2.2: a sign", "max-age=+60", .invalid),
        Number("RFC 9111 §1.2.2: a decimal", "max-age=60.0", .invalid),
        Number("RFC 9111 §1.2.2: an exponent", "max-age=6e1", .invalid),
        Number("RFC 9111 §1.2.2: hexadecimal", "max-age=0x3C", .invalid),
        Number("RFC 9111 §1.2.2: a word", "max-age=long", .invalid),
        Number("RFC 9111 §1.2.2: digits of another script", "max-age=\"٦٠\"", .invalid),
        Number("RFC 9111 §1.2.2: none in quotes", "max-age=\"\"", .invalid),
        Number("RFC 9111 §1.2.2: white space in quotes", "max-age=\" 60\"", .invalid),
        Number("RFC 9111 §5.2.2.1: no argument", "max-age", .invalid),
        Number("RFC 9111 §5.2.2.1: single quotes", "max-age='60'", .invalid),
        Number("RFC 9111 §5.2.2.1: another name", "max-aged=60, xmax-age=60", .absent),
        Number("RFC 9111 §5.2.2.1: in an argument", "x=\"max-age=60\"", .absent),
        Number("RFC 9111 §4.2.1: twice the same", "max-age=60, max-age=\"60\"", .value(60)),
        Number("RFC 9111 §4.2.1: twice, with different values", "max-age=60, max-age=3600", .invalid),
        Number("RFC 9111 §4.2.1: one of them none", "max-age=60, max-age=x", .invalid),
        Number("RFC 9111 §4.2.1: three, the third as the first", "max-age=60, max-age=30, max-age=60", .invalid),
        Number("RFC 9111 §4.2.1: none, twice", "max-age=x, max-age", .invalid),
    ]

    @Test("Seconds are digits, and an invalid or contradictory number counts as expired", arguments: numbers.indices)
    func seconds(_ index: Int) {
        let row = Self.numbers[index]
        let control = CacheControl(row.text)
        #expect(control.seconds("max-age") == row.seconds, "\(row.section): \(row.text)")
        #expect(control.maxAge == row.seconds.orZero.map { .seconds($0) }, "\(row.section)")
    }

    @Test("Malformed request directives demand more and permit less (RFC 9111 §5.2.1.2, §5.2.1.3)")
    func wishes() {
        #expect(CacheControl("min-fresh=5").minFresh == .seconds(5) && CacheControl("x").minFresh == nil)
        #expect(CacheControl("min-fresh=x").minFresh == .seconds(2_147_483_648))
        #expect(CacheControl("min-fresh=5, min-fresh=9").minFresh == .seconds(2_147_483_648))
        #expect(CacheControl("max-stale").maxStale == .seconds(2_147_483_648) && CacheControl("x").maxStale == nil)
        #expect(CacheControl("max-stale=5").maxStale == .seconds(5) && CacheControl("max-stale=x").maxStale == .zero)
        #expect(CacheControl("max-stale=").maxStale == .zero && CacheControl("max-stale=\"").maxStale == .zero)
        #expect(CacheControl("max-stale, max-stale=5").maxStale == .zero && CacheControl("max-stale=5, max-stale").maxStale == .zero)
        #expect(CacheControl(CacheControl("max-stale=").description).maxStale == .zero)
        #expect(CacheControl("s-maxage=7").sharedMaxAge == .seconds(7) && CacheControl("stale-if-error=8").staleIfError == .seconds(8))
    }

    private struct Fields {
        let section: String
        let text: String
        let names: [HTTPFieldName]?

        init(_ section: String, _ text: String, _ names: [HTTPFieldName]?) {
            (self.section, self.text, self.names) = (section, text, names)
        }
    }

    private static let fields = [
        Fields("RFC 9111 §5.2.2.4", "no-cache=\"Set-Cookie, X-A\"", ["Set-Cookie", "X-A"]),
        Fields("RFC 9111 §5.2.2.4: a token", "no-cache=Set-Cookie", ["set-cookie"]),
        Fields("RFC 9111 §5.2.2.4: twice", "no-cache=a, no-cache=\"b\"", ["a", "b"]),
        Fields("RFC 9111 §5.2.2.4: empty members", "no-cache=\",a ,, b,\"", ["a", "b"]),
        Fields("RFC 9111 §5.2.2.4: without an argument", "no-cache", nil),
        Fields("RFC 9111 §5.2.2.4: with and without", "no-cache=a, no-cache", nil),
        Fields("RFC 9111 §5.2.2.4: without and with", "no-cache, no-cache=a", nil),
        Fields("RFC 9111 §5.2.2.4: none", "no-cache=\"\"", nil),
        Fields("RFC 9111 §5.2.2.4: commas alone", "no-cache=\", ,\"", nil),
        Fields("RFC 9111 §5.2.2.4: not a name", "no-cache=\"a b\"", nil),
        Fields("RFC 9111 §5.2.2.4: one of them not a name", "no-cache=\"a, (b)\"", nil),
        Fields("RFC 9111 §5.2.2.4: quotes that do not end", "no-cache=\"a", nil),
    ]

    @Test("Only valid field names restrict no-cache and private to some fields", arguments: fields.indices)
    func qualified(_ index: Int) {
        let row = Self.fields[index]
        for name in ["no-cache", "private"] {
            let control = CacheControl(row.text.replacing("no-cache", with: name))
            #expect(control.fields(of: name) == row.names, "\(row.section): \(row.text)")
            #expect(control.isUnqualified(name) == (row.names == nil), "\(row.section): \(row.text)")
            #expect((name == "private" ? control.privateFields : control.uncachedFields) == row.names ?? [], "\(row.section)")
            #expect((name == "private" ? control.isPrivate : control.requiresValidation) == (row.names == nil), "\(row.section)")
        }
        #expect(!CacheControl("x").requiresValidation && !CacheControl("x=no-cache").isPrivate)
    }

    @Test("A prohibiting directive counts in any form, a permissive one only if it is well formed (RFC 9111 §5.2)")
    func flags() {
        let all = CacheControl(
            "no-store, must-revalidate, proxy-revalidate, public, must-understand, immutable, only-if-cached")
        #expect(all.forbidsStoring && all.requiresRevalidation && all.requiresSharedRevalidation && all.isPublic)
        #expect(all.requiresUnderstanding && all.isImmutable && all.wantsOnlyStored)
        let odd = CacheControl("no-store=, must-revalidate=\"x, proxy-revalidate x, public, must-understand, immutable, only-if-cached")
        #expect(odd.forbidsStoring && odd.requiresRevalidation && odd.requiresSharedRevalidation && odd.requiresUnderstanding)
        #expect(!odd.isPublic && !odd.isImmutable && !odd.allows("must-understand"))
        // RFC 8246 §2: an argument makes no difference.
        #expect(CacheControl("immutable=1").isImmutable)
    }

    @Test("Parsing takes linear time with any quotes (RFC 9110 §5.6.4)")
    func linear() async {
        for piece in ["\"", "x=\"", "\\\"", "x=\"\\", ",", "a=\"b\"c", "é"] {
            let text = "x=\"" + String(repeating: piece, count: 50_000)
            #expect(CacheControl(text).directives.first?.name == "x")
            await Task.yield()
        }
    }
}
