internal import MartletEssentials
internal import MartletTransfers

/// Reads server-sent events for the page. A stream with an error shows no further events.
struct StreamEvents: EventParsing {
    // The unread start of an event is memory that the log does not count.
    private var parser = EventStreamParser(maxLineBytes: 1_000_000, maxEventBytes: 1_000_000)
    private var hasFailed = false

    mutating func events(in piece: Data) -> [(type: String, id: String?, data: String)] {
        guard !hasFailed else { return [] }
        guard let items = try? parser.feed(piece) else {
            hasFailed = true
            return []
        }
        return items.compactMap { item in
            guard case .event(let event) = item else { return nil }
            return (event.type, event.id.isEmpty ? nil : event.id, event.data)
        }
    }
}
