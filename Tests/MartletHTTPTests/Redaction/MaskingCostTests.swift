import Foundation
import Testing

@testable import MartletHTTP

/// The work for texts that were made to be expensive, in steps. A server chooses these texts.
@Suite("Redaction: cost", .timeLimit(.minutes(5)))
struct MaskingCostTests {
    /// A text that repeats a pattern, and the function that masks it.
    struct Pattern: Sendable, CustomTestStringConvertible {
        enum Format { case text, cutText, url, form, json }

        let piece: String
        var format = Format.text
        var start = ""
        var end = ""
        /// The maximum number of steps for each byte.
        var maxSteps = 8

        var testDescription: String { "\(format) \(start)\(piece)…\(end)" }

        func text(_ count: Int) -> String { start + String(repeating: piece, count: max(1, count / piece.utf8.count)) + end }

        func mask(_ text: String) {
            switch format {
            case .text: _ = Redaction.text(text)
            case .cutText: _ = Redactor().text(text, isCut: true)
            case .url: _ = Redactor().address(text)
            case .form: _ = Redactor().form(text)
            case .json: _ = Redactor(style: .response).json(text)
            }
        }
    }

    static func steps(_ work: () -> Void) -> Int {
        let counter = MaskingSteps()
        MaskingSteps.$counter.withValue(counter, operation: work)
        return counter.count
    }

    private func expectLinear(_ pattern: Pattern) {
        for count in [1_000, 10_000, 120_000] {
            let text = pattern.text(count), steps = MaskingCostTests.steps { pattern.mask(text) }
            #expect(steps <= pattern.maxSteps * text.utf8.count + 200, "\(text.utf8.count) bytes")
        }
    }

    @Test(
        "Pairs of names and values in prose take steps in proportion to their bytes",
        arguments: [
            "value:", "value: ", "\"value\":", "value=", "name:", "name:\"", "\"name\":\"a\",\"value\":\"", "key:a ", "name:'",
            "token=a ", "token:\n", "token=\"", "token:\"a\\\"", "a:", "a=", "a = b, ", "a\":", "\"a b\":", "\"a b\" ", "a b\":c ",
            " Code=",
            "Domain=a Code=1 ", "a        ", "a======", "a'\"\\'", "a.b[c]_", "x",
        ])
    func pairs(piece: String) { expectLinear(Pattern(piece: piece)) }

    @Test(
        "Percent escapes, also nested ones, take steps in proportion to their bytes",
        arguments: [
            "a=%3D&", "a=%3D ", "a=%253D&", "a=%25253D ", "%", "%61", "a=%3Fa%3D", "a=%2525253F", "%74oken", "?a=%3Fb%3D%253Fc%253D&",
        ])
    func escapes(piece: String) {
        for format in [Pattern.Format.text, .url, .form] { expectLinear(Pattern(piece: piece, format: format, maxSteps: 24)) }
    }

    @Test(
        "URLs take steps in proportion to their bytes",
        arguments: [
            "https://h/?a=b&", "//", "//u:", "a://b?c=", "?", "?a", "?a=", "?a=?b=", "#a=b", "/a;b=c", "https://u:p@h/a ", "://", ":", "@",
            "a:b@", "mailto:a:", "/a/../b", "value:", "?name:value:", "&;", "/services/T01234567/", "/services/T01234567/B01234567/abc",
            "/webhooks/123456789012345678/", "/bot12345678:",
            "/services/", "/T01234567/",
        ])
    func urls(piece: String) {
        expectLinear(Pattern(piece: piece, maxSteps: 24))
        expectLinear(Pattern(piece: piece, format: .url, maxSteps: 24))
        expectLinear(Pattern(piece: piece, format: .url, start: "https://h/p?q=", maxSteps: 24))
    }

    @Test(
        "Form fields take steps in proportion to their bytes", arguments: ["a=b&", "a=b;c=d;", "a&", "&", "=", "a=value:&", "a=+", "a=b=c"])
    func forms(piece: String) { expectLinear(Pattern(piece: piece, format: .form, maxSteps: 24)) }

    @Test(
        "JSON takes steps in proportion to its bytes, whether it is valid or not",
        arguments: [
            Pattern(piece: #"{"value":"x","name":"y"},"#, format: .json, start: "[", end: "1]"),
            Pattern(piece: #""value":"x","#, format: .json, start: "{", end: #""name":"password"}"#),
            Pattern(piece: #""name":"x","key":"value:","#, format: .json, start: "{", end: #""value":1}"#),
            Pattern(piece: "value:", format: .json, start: #"{"a":""#, end: "\"}"),
            Pattern(piece: "a long name of a member:", format: .json, start: "{\"", end: "\":1}"),
            Pattern(piece: #""value: a long name":1,"#, start: "{", end: "\"a\":1}"),
            Pattern(piece: #"[{\"a\":\"value:\"}],"#, format: .json, start: #"{"a":"["#, end: #"1]"}"#),
            Pattern(piece: "{"), Pattern(piece: "["), Pattern(piece: #"{"a":"#), Pattern(piece: "{}\n"),
            Pattern(piece: "{\"a\":1}\n"), Pattern(piece: "{\"a\":\n"), Pattern(piece: "[\"a\",", format: .cutText), Pattern(piece: "{ x"),
            Pattern(piece: "data: {\"value\":\"name:\"}\n\n"), Pattern(piece: #"\u0061"#), Pattern(piece: #"{\"a\":\"b\"}"#),
        ])
    func json(pattern: Pattern) { expectLinear(pattern) }

    @Test(
        "Header lines, credentials and parts take steps in proportion to their bytes",
        arguments: [
            "X-Name: value\r\n", "Authorization: \r\n", "Set-Cookie: a=b; c\r\n", "bearer ", "Bearer a ", "Bearer abcdefgh ", "eyJ", "eyJ.",
            "eyJhbGciOiJIUzI1NiJ9.a ", "-----BEGIN ", "-----BEGIN PRIVATE", "-----BEGIN CERTIFICATE-----\nMIIB\n", "--\n", "--a\nname=b\n",
            "--token\n", "QUJDRA==", "\0a", "é", "\n", " ", "basic ", "Basic QUJD ", "Basic QUJDRA== ", "Basic", "AKIA", "AKIA ", "ghp_",
            "xoxb-", "sk-", "sk-a.",
            "12345678:", "bot12345678:a", "SG.", "-AKIA", ".sk-",
        ])
    func lines(piece: String) {
        expectLinear(Pattern(piece: piece))
        expectLinear(Pattern(piece: piece, start: "a"))
    }

    @Test(
        "Markup takes steps in proportion to its bytes",
        arguments: [
            "<a id=pin>", "x<token>", "<a id=pin", "<", "</", "<a", "<a>", "<pin></a>", "<pin>", "x<pin></x>", "</a><b token>",
            "<a token/>",
            "<!-- token -->", "<input name='value:'>", "<name>", "<name>pin</name>", "<name>pin</name><value>",
            "<key>pin</key><string>a</string>",
            "<name>a</name><value>", "</name><value", "<name> ", "<name>pin</name><value/>",
        ])
    func markup(piece: String) { expectLinear(Pattern(piece: piece)) }

    @Test("Distinct closing tags take no more steps than equal ones")
    func distinctTags() {
        let text = (0..<20_000).map { "<x\($0) id=pin></y\($0)>" }.joined()
        #expect(MaskingCostTests.steps { _ = Redaction.text(text) } <= 8 * text.utf8.count)
    }

    @Test("Only the part of a long body that is shown is masked, and the rest is only parsed")
    func shown() {
        let object = Data("[\(String(repeating: #"{"id":1,"text":"value: name: a=b&c=%3D"},"#, count: 6_000))1]".utf8)
        for (type, maxSteps) in [("application/json", object.count + 10_000), ("text/plain", 30_000)] {
            let steps = MaskingCostTests.steps { _ = Redaction.body(object.prefix(250_000 / 2), type: type) }
            #expect(steps <= maxSteps)
            #expect(MaskingCostTests.steps { _ = Redaction.body(object, type: type) } <= maxSteps)
        }
        let form = Data(String(repeating: "a=value:&", count: 20_000).utf8)
        #expect(MaskingCostTests.steps { _ = Redaction.body(form, type: "application/x-www-form-urlencoded") } <= 5_000)
        let prose = Data(String(repeating: "word ", count: 40_000).utf8)
        #expect(MaskingCostTests.steps { _ = Redaction.body(prose, type: nil) } <= prose.count + 5_000)
    }

    @Test("A text is read within its budget, and what exceeds it is masked")
    func budget() {
        // JSON in URLs in JSON in URLs: each level is read again.
        var text = "value:"
        for level in 0..<8 {
            text =
                level.isMultiple(of: 2)
                ? JSONText.line(.array([.string(text), .string(text)])) : "?a=\(text)&b=" + PercentEncoding.escape(text)
            let steps = MaskingCostTests.steps { _ = Redaction.text(text) }
            #expect(steps <= MaskingBudget.stepsPerByte * text.utf8.count + MaskingBudget.minSteps + 10 * text.utf8.count)
        }
        let budget = MaskingBudget(bytes: 0), masking = Masking(rules: Redactor(), budget: budget)
        budget.spend(MaskingBudget.minSteps + 1)
        for text in ["plain", #"["plain",1]"#, "https://h/?a=plain"] {
            #expect(String(decoding: masking.text(Array(text.utf8)[...]), as: UTF8.self) == Redaction.mask)
            let prose = ProseMasking.masked(Array(text.utf8)[...], by: masking, isCut: false)
            #expect(String(decoding: prose, as: UTF8.self) == Redaction.mask)
        }
        let url = String(decoding: masking.address(Array("https://h/p?q=plain".utf8)[...]), as: UTF8.self)
        #expect(url == "https://h/p?q=\(Redaction.mask)")
    }

    @Test("Text beyond the first mebibyte is masked, and JSON of that size is read completely")
    func long() {
        let text = String(repeating: "plain\n", count: 400_000) + "S3CRET"
        let masked = Redaction.text(text)
        #expect(masked.hasPrefix("plain\nplain\n") && masked.hasSuffix(Redaction.mask) && !masked.contains("S3CRET"))
        #expect(masked.utf8.count < ProseMasking.maxLength + 100)
        let list = "[" + String(repeating: "\"plain\",", count: 150_000) + "{\"token\":\"S3CRET\"}]"
        let shown = Redactor(style: .response).json(list)
        #expect(shown?.hasSuffix("\"plain\",{\"token\":\"‹redacted›\"}]") == true && shown?.contains("S3CRET") == false)
    }
}
