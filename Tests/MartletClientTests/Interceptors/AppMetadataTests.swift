import Testing

@testable import MartletClient

@Suite("AppMetadata", .timeLimit(.minutes(5)))
struct AppMetadataTests {
    @Test("Unknown properties are not sent")
    func unknown() {
        let fields = AppMetadata(name: "Birds", platform: "Linux").fields(prefix: "X-Birds-")
        #expect(fields == [.userAgent: "Birds (Linux)", "X-Birds-Name": "Birds", "X-Birds-Platform": "Linux"])
    }

    @Test("This program has a name and a platform, and valid fields")
    func current() {
        #expect(!AppMetadata.current.name.isEmpty && !AppMetadata.current.platform.isEmpty)
        #expect(AppMetadata.current.fields().firstInvalidLine == nil)
    }

    @Test("Control characters are removed from values")
    func control() {
        let fields = AppMetadata(name: "B\r\nX: 1", version: "1\u{0}", platform: "\u{7F}", locale: "de\n").fields()
        #expect(fields.firstInvalidLine == nil)
        #expect(fields["X-App-Name"] == "BX: 1")
        #expect(fields[.acceptLanguage] == "de")
        #expect(!fields.contains("X-App-Platform"))
    }

    @Test(
        "A POSIX locale becomes a language tag, and C is not a language",
        arguments: [
            ("de_DE.UTF-8", "de-DE"), ("de_DE@euro", "de-DE"), ("fr", "fr"), ("zh_Hant_TW", "zh-Hant-TW"), ("C", ""), ("C.UTF-8", ""),
            ("POSIX", ""), ("", ""), ("de DE", ""), ("de\nX: 1", ""),
        ])
    func languageTag(locale: String, tag: String) {
        #expect(AppMetadata.languageTag(locale) == tag)
    }

    @Test(
        "Properties of only spaces are unknown, and an invalid language tag is not sent",
        arguments: [" ", "de\r\nX: y", "d;q=1"])
    func blank(locale: String) {
        let fields = AppMetadata(name: "  ", version: " 2 ", locale: locale).fields()
        #expect(!fields.contains("X-App-Name") && fields["X-App-Version"] == "2" && !fields.contains(.acceptLanguage))
    }

    @Test(
        "Every app has a valid User-Agent",
        arguments: [
            ("Birds", "Birds"), ("My  Birds!", "My-Birds!"), ("Vögel", "V-gel"), ("鳥", "App"), ("", "App"), ("a\r\nX: 1", "a-X-1"),
            ("(x)", "x"),
        ])
    func apps(name: String, product: String) {
        #expect(AppMetadata(name: name, platform: "").userAgent == product)
        #expect(
            AppMetadata(name: name, version: "1 b", build: "(7)\n", platform: "").userAgent == product + #"/1-b (build \(7\))"#
        )
    }

    @Test("Parentheses and backslashes in a comment are escaped (RFC 9110 §5.6.5)")
    func comments() {
        #expect(AppMetadata(name: "a", platform: #"x) evil/1 (\"#).userAgent == #"a (x\) evil/1 \(\\)"#)
    }
}
