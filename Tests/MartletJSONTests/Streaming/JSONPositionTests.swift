import MartletJSON
import Testing

@Suite("JSON positions", .timeLimit(.minutes(5)))
struct JSONPositionTests {
    @Test("A position is described by line, column and byte")
    func description() {
        #expect(JSONPosition(offset: 41, line: 3, column: 7).description == "line 3, column 7 (byte 41)")
    }
}
