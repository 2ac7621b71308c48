import Foundation
import MartletJSON
import Testing

@Suite("OpenEnum", .timeLimit(.minutes(5)))
struct OpenEnumTests {
    private enum Status: String, Sendable { case open, closed }

    @Test("An unknown value keeps its text and is encoded unchanged")
    func unknown() throws {
        let values = try JSONBodyDecoder().decode([OpenEnum<Status>].self, from: Data(#"["open","paused"]"#.utf8))
        #expect(values == [.known(.open), .unknown("paused")] && values[0] == .open && values[1] != .closed)
        #expect(values.map(\.known) == [.open, nil] && values.map(\.description) == ["open", "paused"])
        #expect(try JSONBodyEncoder().encode(values) == Data(#"["open","paused"]"#.utf8))
        #expect(throws: DecodingError.self) { try JSONBodyDecoder().decode([OpenEnum<Status>].self, from: Data("[1]".utf8)) }
    }
}
