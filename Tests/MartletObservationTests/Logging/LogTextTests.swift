import Testing

@testable import MartletObservation

@Suite("LogText", .timeLimit(.minutes(5)))
struct LogTextTests {
    @Test("Control characters are escaped, except line ends and tabs")
    func visible() {
        #expect(
            !LogText.visible("a\u{1B}[31m\u{7}\r\u{9B}\u{7F}").unicodeScalars.contains {
                $0.value < 0x20 || (0x7F...0x9F).contains($0.value)
            })
        #expect(LogText.visible("a\n\tb") == "a\n\tb")
        #expect(LogText.visible("a\u{202E}b\u{2028}c\u{85}d") == #"a\u{202E}b\u{2028}c\u{0085}d"#)
        #expect(LogText.visible("Grüße, 東京, 👩‍👩‍👧") == "Grüße, 東京, 👩‍👩‍👧")
    }
}
