import Testing

@testable import MartletHTTP

@Suite("ContentDisposition", .timeLimit(.minutes(5)))
struct ContentDispositionTests {
    @Test("Type, tokens and quoted strings are read; white space and case do not count (RFC 6266 §4.1)")
    func reading() {
        let disposition = ContentDisposition(" Attachment ; FileName=\"a \\\"b\\\"; c.txt\" ; Size = 12")
        #expect(disposition?.type == "attachment")
        #expect(disposition?.filename == "a \"b\"; c.txt")
        #expect(disposition?["SIZE"] == "12")
        #expect(disposition?.parameters.map(\.name) == ["filename", "size"])
        #expect(ContentDisposition("inline")?.parameters == [])
        #expect(ContentDisposition("form-data; name=\"a\"; filename=\"ä.txt\"")?.name == "a")
    }

    @Test("The extended form is preferred at any position (RFC 6266 §4.3, RFC 8187)")
    func extended() {
        let texts = [
            "attachment; filename=EURO.txt; filename*=UTF-8''%e2%82%ac%20rates.txt",
            "attachment; filename*=utf-8'en'%E2%82%AC%20rates.txt; filename=\"EURO.txt\"",
        ]
        for text in texts { #expect(ContentDisposition(text)?.filename == "€ rates.txt") }
        #expect(ContentDisposition("attachment; filename*=iso-8859-1''%A3%20rates")?.filename == "£ rates")
    }

    @Test(
        "An extended value that is malformed, invalid or in another charset is ignored",
        arguments: [
            "UTF-8''%zz", "UTF-8''%e", "UTF-8''%ff", "UTF-8'%41", "UTF-16''%41", "\"UTF-8''a\"", "UTF-8''a'b", "''a", "UTF-8''a b", "",
        ])
    func badExtended(value: String) {
        #expect(ContentDisposition("attachment; filename*=\(value); filename=plain")?.filename == "plain")
    }

    @Test("If two parameters have the same name, the first counts")
    func duplicates() {
        #expect(ContentDisposition("attachment; filename=a; FILENAME=b")?.filename == "a")
        #expect(ContentDisposition("attachment; filename*=UTF-8''a; filename*=UTF-8''b")?.filename == "a")
    }

    @Test(
        "A malformed parameter is ignored, and the next one is read",
        arguments: [
            "filename", "filename=", "filename=\"a\"b", "=a", ";", "\"; filename=evil;\"", "name=a b", "filename*=a b",
        ])
    func malformed(parameter: String) {
        let disposition = ContentDisposition("attachment; \(parameter); size=1")
        #expect(disposition?.filename == nil)
        #expect(disposition?["size"] == "1")
    }

    @Test(
        "A file name without quotes is read up to the next parameter, as servers send it",
        arguments: [
            ("My report.pdf", "My report.pdf"), ("  a  b  ", "a  b"), ("Prüfung 1.pdf", "Prüfung 1.pdf"), ("a=b (1).txt", "a=b (1).txt"),
            ("a \"b\".txt", "a \"b\".txt"), ("../../My .profile", "../../My .profile"),
        ])
    func unquoted(value: String, name: String) {
        let disposition = ContentDisposition("attachment; filename=\(value); size=1")
        #expect(disposition?.filename == name && disposition?["size"] == "1")
        #expect(disposition?.safeFilename?.contains("/") == false && disposition?.safeFilename?.contains("\"") == false)
    }

    @Test("An extended value in the charset utf8, a common misspelling of UTF-8, is read")
    func misspelledCharset() {
        #expect(ContentDisposition("attachment; filename*=utf8''%e2%82%ac%20rates.txt")?.filename == "€ rates.txt")
        #expect(ContentDisposition("attachment; filename*=UTF8'en'a; filename=b")?.filename == "a")
        #expect(ContentDisposition("attachment; filename*=utf8''%ff; filename=b")?.filename == "b")
    }

    @Test("An unclosed quoted string extends to the end of the field")
    func unclosed() {
        #expect(ContentDisposition("attachment; filename=\"a; size=1")?.parameters == [])
        #expect(ContentDisposition("attachment; filename=\"a\\")?.parameters == [])
    }

    @Test(
        "A field without a valid type is not a disposition",
        arguments: ["", " ", "; filename=a", "\"attachment\"", "attachment filename=a", "a/b"])
    func noType(text: String) {
        #expect(ContentDisposition(text) == nil)
    }

    @Test("A safe name has no path, is not hidden and is not a folder")
    func paths() {
        let safe = ContentDisposition.safeFilename
        #expect(safe("../../etc/passwd") == "passwd")
        #expect(safe("C:\\Windows\\win.ini") == "win.ini")
        #expect(safe("a/..\\b.txt") == "b.txt")
        #expect(safe("a/\u{301}b") == "\u{301}b")
        for name in ["", ".", "..", "...", " . ", "a/", "a\\", "/", "\0", "\u{202E}", "../.."] { #expect(safe(name) == nil) }
        #expect(safe("..hidden") == "hidden")
        #expect(safe(" .profile. . ") == "profile")
        #expect(ContentDisposition("attachment; filename*=UTF-8''..%2F..%2F.ssh%5Cid")?.safeFilename == "id")
        #expect(ContentDisposition("attachment; filename=\"..\"")?.safeFilename == nil)
        #expect(ContentDisposition("attachment")?.safeFilename == nil)
    }

    @Test("A safe name has no control or direction-changing characters, and none special to shells or file systems")
    func characters() {
        let safe = ContentDisposition.safeFilename
        #expect(safe("a\0b\r\nc\u{7F}\u{85}\u{2028}.txt") == "abc.txt")
        #expect(safe("invoice\u{202E}fdp.exe") == "invoicefdp.exe")
        #expect(safe("a\u{2066}\u{200E}\u{061C}\u{FEFF}\u{200B}b") == "ab")
        #expect(safe("file.txt:stream") == "file.txt_stream")
        #expect(safe("a*?\"<>|b") == "a______b")
        #expect(safe("-rf") == "_rf")
        #expect(safe("naïve – 日本語 👩\u{200D}🚀.txt") == "naïve – 日本語 👩\u{200D}🚀.txt")
    }

    @Test("A safe name has at most 255 bytes, is cut between characters, and keeps its extension")
    func length() throws {
        let safe = ContentDisposition.safeFilename
        let long = try #require(safe(String(repeating: "€", count: 200) + ".tar.gz"))
        #expect(long.utf8.count <= 255 && long.utf8.count > 250)
        #expect(long.hasSuffix("€.gz") || long.hasSuffix(".tar.gz"))
        #expect(safe(String(repeating: "a", count: 300)) == String(repeating: "a", count: 255))
        let noEnding = try #require(safe("a." + String(repeating: "b", count: 400)))
        #expect(noEnding == "a." + String(repeating: "b", count: 253))
        let spaced = try #require(safe(String(repeating: "a", count: 249) + "     bbbbbbbbbbbbbbbbbbb.txt"))
        #expect(spaced == String(repeating: "a", count: 249) + ".txt")
        for name in [long, noEnding, spaced] { #expect(safe(name) == name) }
    }

    @Test("Names in forms are escaped as browsers do")
    func writing() {
        #expect(ContentDisposition.formData(name: "a", filename: nil) == "form-data; name=\"a\"")
        let written = ContentDisposition.formData(name: "a\"b\r\nc\\%", filename: "ü\"\r\n.txt")
        #expect(written == "form-data; name=\"a%22b%0D%0Ac\\%\"; filename=\"ü%22%0D%0A.txt\"")
        let accented = ContentDisposition.formData(name: "\"\u{301}\r\u{301}", filename: nil)
        #expect(accented.unicodeScalars.elementsEqual("form-data; name=\"%22\u{301}%0D\u{301}\"".unicodeScalars))
    }
}
