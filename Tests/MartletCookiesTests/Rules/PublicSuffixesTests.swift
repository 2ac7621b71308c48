import Testing

@testable import MartletCookies

@Suite("Public suffixes", .timeLimit(.minutes(5)))
struct PublicSuffixesTests {
    @Test(
        "The registrable domain is one label longer than the longest rule",
        arguments: [
            ("com", nil), ("example.com", "example.com"), ("a.b.example.com", "example.com"), ("co.uk", nil),
            ("example.co.uk", "example.co.uk"),
            ("www.example.co.uk", "example.co.uk"), ("uk", nil), ("example.uk", "example.uk"),
            // Wildcards and their exceptions.
            ("ck", nil), ("test.ck", nil), ("a.test.ck", "a.test.ck"), ("www.ck", "www.ck"), ("a.www.ck", "www.ck"),
            ("city.kawasaki.jp", "city.kawasaki.jp"), ("other.kawasaki.jp", nil), ("a.other.kawasaki.jp", "a.other.kawasaki.jp"),
            ("kobe.jp", "kobe.jp"), ("c.kobe.jp", nil), ("jp", nil), ("co.jp", nil), ("ide.kyoto.jp", nil),
            // The private division.
            ("github.io", nil), ("wren.github.io", "wren.github.io"), ("a.wren.github.io", "wren.github.io"), ("s3.amazonaws.com", nil),
            // Internationalized names.
            ("xn--55qx5d.cn", nil), ("a.xn--55qx5d.cn", "a.xn--55qx5d.cn"), ("xn--fiqs8s", nil),
            // Names without a rule.
            ("unknown", nil), ("host.unknown", "host.unknown"), ("a.host.unknown", "host.unknown"),
            // Spellings.
            ("example.com.", "example.com."), ("com.", nil), ("a.example.co.uk.", "example.co.uk."), ("", nil), (".", nil), (".com", nil),
        ] as [(String, String?)])
    func registrable(host: String, expected: String?) {
        #expect(PublicSuffixes.registrableDomain(of: host).map(String.init) == expected)
    }

    @Test(
        "A rule is a public suffix, and a name below it is not",
        arguments: [
            ("com", true), ("co.uk", true), ("co.uk.", true), ("example.com", false), ("local", true), ("zw", true), ("ac", true),
            ("", false),
        ])
    func contains(host: String, isSuffix: Bool) {
        #expect(PublicSuffixes.contains(host) == isSuffix)
    }

    @Test("Every rule of the table is found by a lookup")
    func everyRule() {
        var count = 0
        for line in "\(PublicSuffixTable.lines)".split(separator: "\n") {
            let labels = line.split(separator: " ", omittingEmptySubsequences: false)
            let parent = labels[0].isEmpty ? "" : "." + labels[0]
            for label in labels.dropFirst() {
                count += 1
                switch label.first {
                case "!": #expect(!PublicSuffixes.contains("\(label.dropFirst())\(parent)"), "\(label)\(parent)")
                case "*": #expect(PublicSuffixes.contains("any-label\(parent)"), "\(label)\(parent)")
                default: #expect(PublicSuffixes.contains("\(label)\(parent)"), "\(label)\(parent)")
                }
            }
        }
        #expect(count > 9_000)
    }
}
