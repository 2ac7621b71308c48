#if os(Linux)
import Testing

@testable import MartletWire

@Suite("WireRound", .timeLimit(.minutes(5)))
struct WireRoundTests {
    private let round = WireRound()

    @Test("A body that is not streamed, or has not begun, is read with the whole buffer")
    func noStream() { #expect(round.buffer(forRoom: nil)?.count == WireEngine.readLength) }

    @Test("No more content is read than a stream has room for", arguments: [4096, 100_000, 1 << 20])
    func limited(room: Int) { #expect(round.buffer(forRoom: room)?.count == min(room, WireEngine.readLength)) }

    @Test("A stream that is almost full does not make the engine read byte by byte", arguments: [1, 4095])
    func almostFull(room: Int) { #expect(round.buffer(forRoom: room)?.count == 4096) }

    @Test("Nothing is read for a stream without room")
    func full() { #expect(round.buffer(forRoom: 0) == nil) }
}
#endif
