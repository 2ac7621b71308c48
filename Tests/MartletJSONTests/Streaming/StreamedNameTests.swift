import Foundation
import Testing

@testable import MartletJSON

@Suite("Names on the path", .timeLimit(.minutes(5)))
struct StreamedNameTests {
    @Test(
        "Names are equal after their escapes are decoded",
        arguments: [
            ("birds", #""birds""#), ("birds", #""b\u0069rds""#), ("é", #""\u00e9""#), ("é", #""é""#), ("😀", #""\uD83D\uDe00""#),
            ("a\"\\/\u{8}\u{C}\n\r\t", #""a\"\\\/\b\f\n\r\t""#), ("", #""""#), ("\u{FFFD}", #""\uFFFD""#), ("a\0b", #""a\u0000b""#),
        ])
    func equal(name: String, string: String) {
        let name = StreamedName(name)
        #expect(name.matches(Data(string.utf8)))
        #expect(string.utf8.count <= name.maxStringBytes)
    }

    @Test(
        "Names that differ in a byte are not equal",
        arguments: [("birds", #""bird""#), ("birds", #""Birds""#), ("", #""a""#), ("e\u{301}", #""é""#), ("a", #""\u0062""#)])
    func different(name: String, string: String) {
        #expect(!StreamedName(name).matches(Data(string.utf8)))
    }
}
