import Foundation
import Martlet
import Testing

@testable import MartletInspector

@Suite("Events of streams for the page", .timeLimit(.minutes(5)))
struct StreamEventsTests {
    @Test("Events are read from pieces that are cut anywhere")
    func pieces() {
        let text = "\u{FEFF}: comment\r\nevent: price\r\nid: 7\r\ndata: é1\r\ndata: 2\r\n\r\ndata: last\n\ndata: unfinished"
        for size in 1...7 {
            var events = StreamEvents(), rest = Data(text.utf8)[...]
            var found: [(type: String, id: String?, data: String)] = []
            while !rest.isEmpty {
                found += events.events(in: Data(rest.prefix(size)))
                rest = rest.dropFirst(size)
            }
            #expect(found.map(\.type) == ["price", "message"])
            #expect(found.map(\.id) == ["7", "7"])
            #expect(found.map(\.data) == ["é1\n2", "last"])
        }
    }

    @Test("A stream with an event beyond the limit shows no further events")
    func limit() {
        var events = StreamEvents()
        #expect(events.events(in: Data("data: 1\n\n".utf8)).count == 1)
        #expect(events.events(in: Data("data: \(String(repeating: "a", count: 1_000_100))\n\n".utf8)).isEmpty)
        #expect(events.events(in: Data("data: 2\n\n".utf8)).isEmpty)
    }
}
