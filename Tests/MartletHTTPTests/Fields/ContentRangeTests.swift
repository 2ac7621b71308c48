import Testing

@testable import MartletHTTP

@Suite(.timeLimit(.minutes(5))) struct ContentRangeTests {
    @Test("Ranges with known and unknown total length, and unsatisfied ranges, are read (RFC 9110 §14.4)")
    func reads() {
        #expect(ContentRange("bytes 0-499/1234")?.bounds == 0...499)
        #expect(ContentRange("Bytes  42-42/*")?.bounds == 42...42 && ContentRange("bytes 42-42/*")?.total == nil)
        #expect(ContentRange("bytes */1234")?.total == 1234 && ContentRange("bytes */1234")?.bounds == nil)
    }

    @Test(
        "Contradictory values and other units are refused",
        arguments: [
            "", "bytes", "bytes 0-499", "items 0-1/2", "bytes 5-4/10", "bytes 0-10/10", "bytes */*", "bytes -5/10", "bytes 0-/10",
            "bytes 0-1/2/3", "bytes +0-1/2", "bytes 0-1/99999999999999999999", "bytes 0-9223372036854775807/*", "bytes 0 - 1/2",
            "bytes ٣-٤/9",
        ])
    func refuses(text: String) { #expect(ContentRange(text) == nil) }
}
