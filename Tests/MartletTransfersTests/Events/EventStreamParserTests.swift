import Foundation
import MartletTesting
import Testing

@testable import MartletTransfers

/// Each stream is written as bytes, so that line ends and bytes that are not UTF-8 stay unchanged.
@Suite(.timeLimit(.minutes(5))) struct EventStreamParserTests {
    private func items(_ text: String, comments: Bool = false) throws -> [EventStreamParser.Item] {
        try items([UInt8](text.utf8), comments: comments)
    }

    private func items(_ bytes: [UInt8], comments: Bool = false) throws -> [EventStreamParser.Item] {
        var parser = EventStreamParser(keepsComments: comments)
        return try parser.feed(bytes)
    }

    private func events(_ text: String) throws -> [ServerSentEvent] { try items(text).map(\.event) }

    @Test("The examples of the standard return the events that it lists (WHATWG HTML §9.2.6)")
    func examples() throws {
        #expect(
            try events("data: YHOO\ndata: +2\ndata: 10\n\n") == [ServerSentEvent(data: "YHOO\n+2\n10")])
        #expect(
            try events(": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n") == [
                ServerSentEvent(data: "first event", id: "1"), ServerSentEvent(data: "second event"), ServerSentEvent(data: " third event"),
            ])
        #expect(try events("data\n\ndata\ndata\n\ndata:") == [ServerSentEvent(data: ""), ServerSentEvent(data: "\n")])
        #expect(try events("data:test\n\ndata: test\n\n").map(\.data) == ["test", "test"])
        #expect(
            try events("event: add\ndata: 73857293\n\nevent: remove\ndata: 2153\n\n") == [
                ServerSentEvent(type: "add", data: "73857293"), ServerSentEvent(type: "remove", data: "2153"),
            ])
    }

    @Test("Lines end with a carriage return, a line feed or both, in any mixture (WHATWG HTML §9.2.5)")
    func lineEnds() throws {
        #expect(
            try events("data:a\rdata:b\r\rdata:c\r\ndata:d\r\n\r\ndata:e\n\ndata:f\r\n\ndata:g\n\r").map(\.data) == [
                "a\nb", "c\nd", "e", "f", "g",
            ])
    }

    @Test("Only one byte order mark at the start is skipped (WHATWG HTML §9.2.5)")
    func byteOrderMark() throws {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        #expect(try items(mark + [UInt8]("data:a\n\n".utf8)).map(\.event.data) == ["a"])
        #expect(try items(mark + mark + [UInt8]("data:a\n\ndata:b\n\n".utf8)).map(\.event.data) == ["b"])
        #expect(try items([UInt8]("data:a\n\n".utf8) + mark + [UInt8]("data:b\n\n".utf8)).map(\.event.data) == ["a"])
        #expect(try items([UInt8]("data:".utf8) + mark + [UInt8]("\n\n".utf8)).map(\.event.data) == ["\u{FEFF}"])
        #expect(try items(mark.prefix(2) + [UInt8]("\ndata:a\n\n".utf8)).map(\.event.data) == ["a"])
    }

    @Test("A byte order mark that arrives byte by byte is skipped, and an incomplete one is not")
    func splitByteOrderMark() throws {
        var parser = EventStreamParser()
        for byte in [0xEF, 0xBB, 0xBF] as [UInt8] { #expect(try parser.feed([byte]) == []) }
        #expect(try parser.feed([UInt8]("data:a\n\n".utf8)).map(\.event.data) == ["a"])
        var other = EventStreamParser()
        #expect(try other.feed([0xEF, 0xBB]) == [])
        #expect(try other.feed([UInt8]("data:a\n\ndata:b\n\n".utf8)).map(\.event.data) == ["b"])
    }

    @Test("A field's value follows the colon without one space, and a line without a colon is a field with an empty value")
    func values() throws {
        #expect(try events("data:  a \ndata:\t b\ndata: c:d\n\n").map(\.data) == [" a \n\t b\nc:d"])
        #expect(try events("event\ndata:a\n\n") == [ServerSentEvent(data: "a")])
        #expect(try events("event:\ndata:a\n\n") == [ServerSentEvent(data: "a")])
    }

    @Test("Unknown fields, names in another case and names with a space are ignored")
    func unknownFields() throws {
        #expect(try events("Data:a\n data:b\ndata :c\nfoo:d\ndata2:e\ndat:f\n\n") == [])
        #expect(try events("DATA:a\nx\ndata:b\nEvent:c\n\n") == [ServerSentEvent(data: "b")])
    }

    @Test("An event without data is dropped with its type, and its id is kept (WHATWG HTML §9.2.6)")
    func withoutData() throws {
        var parser = EventStreamParser()
        #expect(try parser.feed([UInt8]("event: x\nid: 7\n".utf8)) == [])
        #expect(parser.lastEventID == "")
        #expect(try parser.feed([UInt8]("\n".utf8)) == [])
        #expect(parser.lastEventID == "7")
        #expect(try parser.feed([UInt8]("data: a\n\n".utf8)).map(\.event) == [ServerSentEvent(data: "a", id: "7")])
    }

    @Test("An id stays until another is set, an empty id removes it, and an id with NUL is ignored (WHATWG HTML §9.2.6)")
    func ids() throws {
        #expect(
            try events("id:1\ndata:\n\ndata:\n\nid:2\ndata:\n\nid:\0x\ndata:\n\nid\ndata:\n\ndata:\n\n").map(\.id) == [
                "1", "1", "2", "2", "", "",
            ])
        #expect(try events("id:1\nid:é\u{7}\ndata:\n\n").map(\.id) == ["é\u{7}"])
    }

    @Test("An id that differs from the last one only in its bytes is a new one")
    func bytesOfIDs() throws {
        var parser = EventStreamParser(lastEventID: "é")
        _ = try parser.feed([UInt8]("id:é\n\n".utf8))
        #expect(parser.sendableID == nil)
        _ = try parser.feed([UInt8]("id:e\u{301}\n\n".utf8))
        #expect(parser.sendableID.map { Array($0.utf8) } == [0x65, 0xCC, 0x81])
    }

    @Test("A parser continues with the last event id of the previous connection")
    func resumed() throws {
        var parser = EventStreamParser(lastEventID: "41")
        #expect(try parser.feed([UInt8]("data: a\n\n".utf8)).map(\.event.id) == ["41"])
        #expect(parser.lastEventID == "41")
    }

    @Test("The reconnection time consists of digits only and takes effect immediately (WHATWG HTML §9.2.6)")
    func retry() throws {
        var parser = EventStreamParser()
        #expect(try parser.feed([UInt8]("retry: 1500\n".utf8)) == [])
        #expect(parser.reconnectionTime == .milliseconds(1500))
        #expect(try parser.feed([UInt8]("data:a\n\ndata:b\n\n".utf8)).map(\.event.retry) == [.milliseconds(1500), nil])
        for text in ["retry:\n", "retry\n", "retry: -5\n", "retry: 1.5\n", "retry: 5s\n", "retry:  5\n", "retry: +5\n", "retry: ٣\n"] {
            #expect(try parser.feed([UInt8](text.utf8)) == [])
            #expect(parser.reconnectionTime == .milliseconds(1500), "\(text)")
        }
        #expect(try parser.feed([UInt8]("retry:0\n".utf8)) == [])
        #expect(parser.reconnectionTime == .zero)
        #expect(try parser.feed([UInt8]("retry:1\(String(repeating: "0", count: 30))\n".utf8)) == [])
        #expect(parser.reconnectionTime == .milliseconds(Int64.max))
        #expect(try parser.feed([UInt8]("retry:000000000000000000000000007\n".utf8)) == [])
        #expect(parser.reconnectionTime == .milliseconds(7))
    }

    @Test("An event without a blank line at the end is dropped (WHATWG HTML §9.2.6)")
    func incomplete() throws {
        #expect(try events("data:a\n\nid:9\ndata:b\n").map(\.data) == ["a"])
        #expect(try events("data:a") == [])
        #expect(try events("") == [])
    }

    @Test("Comments are skipped, or returned without their colon and one space")
    func comments() throws {
        #expect(try items(":\n: keep\n:  alive\ndata:a\n:x:y\n\n").count == 1)
        #expect(
            try items(":\n: keep\n:  alive\ndata:a\n:x:y\n\n", comments: true) == [
                .comment(""), .comment("keep"), .comment(" alive"), .comment("x:y"), .event(ServerSentEvent(data: "a")),
            ])
    }

    @Test("Bytes that are not UTF-8 become replacement characters as the standard defines (WHATWG Encoding §8.1.1)")
    func invalidUTF8() throws {
        let cases: [([UInt8], String)] = [
            ([0xFF], "\u{FFFD}"), ([0xE2, 0x82], "\u{FFFD}"), ([0xF0, 0x9F, 0x98], "\u{FFFD}"), ([0xC0, 0xAF], "\u{FFFD}\u{FFFD}"),
            ([0xED, 0xA0, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}"), ([0xF4, 0x90, 0x80, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
            ([0xE2, 0x41], "\u{FFFD}A"), ([0xE2, 0x82, 0xAC], "€"),
        ]
        for (bytes, text) in cases {
            #expect(try items([UInt8]("data:".utf8) + bytes + [10, 10]).map(\.event.data) == [text], "\(bytes)")
            #expect(try items([UInt8]("data:".utf8) + bytes + [UInt8]("\ndata:b\n\n".utf8)).map(\.event.data) == [text + "\nb"])
            #expect(try items([UInt8]("event:".utf8) + bytes + [UInt8]("\ndata:b\n\n".utf8)).map(\.event.type) == [text])
        }
    }

    @Test("An event is available with its blank line: after a carriage return, the parser does not wait for a line feed")
    func atOnce() throws {
        var parser = EventStreamParser()
        #expect(try parser.feed([UInt8]("data:a\r".utf8)) == [])
        #expect(try parser.feed([UInt8]("\n\r".utf8)).map(\.event.data) == ["a"])
        #expect(try parser.feed([UInt8]("\ndata:b\r\r".utf8)).map(\.event.data) == ["b"])
        #expect(try parser.feed([UInt8]("\n".utf8)) == [])
        #expect(try parser.feed([UInt8]("data:c\r".utf8)) == [])
        #expect(try parser.feed([UInt8]("\ndata:d\n\n".utf8)).map(\.event.data) == ["c\nd"])
    }

    @Test("Events are taken one at a time, and ids and times do not run ahead of them")
    func oneAtATime() throws {
        var parser = EventStreamParser()
        parser.push([UInt8]("id:1\ndata:a\n\nid:2\nretry:5\ndata:b\n\nid:3\n\n".utf8))
        #expect(try parser.next()?.event.data == "a")
        #expect(parser.lastEventID == "1" && parser.reconnectionTime == nil)
        parser.push([UInt8]("data:c\n\n".utf8))
        #expect(try parser.next()?.event.data == "b")
        #expect(parser.lastEventID == "2" && parser.reconnectionTime == .milliseconds(5))
        #expect(try parser.next()?.event == ServerSentEvent(data: "c", id: "3"))
        #expect(try parser.next() == nil)
    }
}

extension EventStreamParser.Item {
    /// The event, or an event that no stream contains.
    fileprivate var event: ServerSentEvent {
        if case .event(let event) = self { event } else { ServerSentEvent(type: "no event", data: "") }
    }
}
