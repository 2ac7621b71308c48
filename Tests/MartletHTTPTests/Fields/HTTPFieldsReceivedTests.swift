import MartletHTTP
import Testing

@Suite("The fields of a received block", .timeLimit(.minutes(5)))
struct HTTPFieldsReceivedTests {
    private func fields(_ text: String, lineCount: Int = 1) -> HTTPFields { fields(Array(text.utf8), lineCount: lineCount) }

    private func fields(_ bytes: [UInt8], lineCount: Int = 1) -> HTTPFields {
        bytes.withUnsafeBufferPointer { HTTPFields(block: $0, lineCount: lineCount) }
    }

    private func pairs(_ fields: HTTPFields) -> [String] { fields.map { "\($0.name.rawName)=\($0.value)" } }

    @Test("White space around names and values is removed, and the order and repeated lines stay")
    func lines() {
        let read = fields("A: 1\r\nB:2\r\nA :\t 3 \t\r\nEmpty:\r\nEmptier:   \n", lineCount: 5)
        #expect(pairs(read) == ["A=1", "B=2", "A=3", "Empty=", "Emptier="] && read.firstInvalidLine == nil)
        #expect(read[.init("a")] == "1, 3" && read.values(for: "EMPTY") == [""])
    }

    @Test("A block without lines, and a last line without its end, are read", arguments: [("", 0), ("A:1", 1), ("A:1\n\n", 1), ("\n", 0)])
    func ends(_ text: String, _ count: Int) { #expect(fields(text).count == count) }

    @Test("Lines without a colon or a name are ignored", arguments: ["no colon\r\n", ": value\r\n", " \t: value\r\n"])
    func ignored(_ line: String) { #expect(pairs(fields(line + "A: b\r\n", lineCount: 2)) == ["A=b"]) }

    @Test("A carriage return and NUL in a value become spaces, and at its ends they are removed")
    func lineEnds() {
        let read = fields("A: \0\rx\ry\0z\r\0\r\nB: 2\r\n", lineCount: 2)
        #expect(pairs(read) == ["A=x y z", "B=2"] && read.firstInvalidLine == nil)
    }

    @Test("A name that is not a token, and a value with another control character, are kept and can't be sent")
    func invalid() {
        #expect(fields("a b: c\r\n").firstInvalidLine?.name == "a b")
        #expect(fields("A: b\u{7}c\r\nB: d\r\n", lineCount: 2).firstInvalidLine?.name == "A")
        #expect(fields([0xE9, 0x3A, 0x31, 0x0A]).firstInvalidLine?.value == "1")
    }

    @Test("Bytes outside ASCII are read as UTF-8 or Latin-1, and a value may contain colons")
    func text() {
        #expect(fields([0x41, 0x3A, 0xE9, 0x0A])["A"] == "é" && fields("A: é:ö\n")["A"] == "é:ö")
    }

    @Test("A wrong number of lines loses nothing", arguments: [0, 1, 100])
    func count(_ lineCount: Int) { #expect(fields("A:1\nB:2\nC:3\n", lineCount: lineCount).count == 3) }

    @Test("Names compare without regard to case, also if they are as long as others")
    func names() {
        let read = fields("X-Id: 1\nx-iD: 2\nY-Id: 3\n", lineCount: 3)
        #expect(read.values(for: "X-ID") == ["1", "2"] && read.values(for: "X-Id") == ["1", "2"] && read["y-id"] == "3")
        #expect(!read.contains("Z-Id") && !read.contains("X-I"))
    }
}
