internal import MartletEssentials
internal import MartletTransfers

/// Reads server-sent events for the page. A stream with an error shows no further events.
struct StreamEvents: EventParsing {
    private var parser = EventStreamParser()
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
