/// Makes events of the bytes of an event stream, however they are cut (WHATWG HTML §9.2.5 and §9.2.6).
///
/// Bytes are pushed in, and events taken out one at a time, so that nothing runs ahead of the reader: neither memory nor the last event
/// id. An event is there as soon as its blank line is. Each byte is looked at once. What is incomplete at the end is no event.
package struct EventStreamParser: Sendable {
    /// What a stream has besides ids and times.
    package enum Item: Sendable, Hashable {
        case event(ServerSentEvent)
        case comment(String)
    }

    private var fields: EventFields
    private let maxLineBytes: Int
    private let maxEventBytes: Int

    /// What was given last, and how far it has been read.
    private var pushed: [UInt8] = []
    private var place = 0
    /// A line that the chunks so far have not ended.
    private var partialLine: [UInt8] = []
    /// Whether the next byte is no line's end of its own, if it is a line feed: a carriage return came just before.
    private var skipsLineFeed = false
    /// Whether the first bytes have been looked at for a byte order mark.
    private var hasBegun = false
    private var failure: SizeLimitFailure?

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// A parser for one stream.
    ///
    /// - Parameters:
    ///   - lastEventID: the id that events have until the stream sets another.
    ///   - keepsComments: whether comments are given, or only skipped.
    ///   - keepsEmptyEvents: whether an event that has a type and no line of data is given, with empty data. By the standard it is none.
    ///   - maxLineBytes: how long one line may be.
    ///   - maxEventBytes: how much data one event may have.
    package init(
        lastEventID: String = "", keepsComments: Bool = false, keepsEmptyEvents: Bool = false,
        maxLineBytes: Int = EventOptions.defaultLimit, maxEventBytes: Int = EventOptions.defaultLimit
    ) {
        fields = EventFields(
            lastEventID: lastEventID, keepsComments: keepsComments, keepsEmptyEvents: keepsEmptyEvents, maxEventBytes: maxEventBytes)
        self.maxLineBytes = maxLineBytes
        self.maxEventBytes = maxEventBytes
    }

    /// The last event id, as of the last event that was taken out, or of a later blank line.
    package var lastEventID: String { fields.lastEventID }

    /// The last id that the stream has set and that can be sent; nil when it has set none.
    package var sendableID: String? { fields.sendableID }

    /// The reconnection time that the stream has set last; nil when it has set none.
    package var reconnectionTime: Duration? { fields.reconnectionTime }

    /// All that `bytes` complete. Throws as ``next()`` does; what came before the error is lost then.
    package mutating func feed(_ bytes: some Collection<UInt8>) throws(HTTPError) -> [Item] {
        push(bytes)
        var items: [Item] = []
        while let item = try next() { items.append(item) }
        return items
    }

    /// Adds the next bytes of the stream.
    package mutating func push(_ bytes: some Collection<UInt8>) {
        if place == pushed.count {
            // `Data` makes an array of itself slowly.
            pushed = bytes.withContiguousStorageIfAvailable { Array($0) } ?? Array(bytes)
            place = 0
        } else {
            pushed.append(contentsOf: bytes)
        }
        if !hasBegun { begin() }
    }

    /// The next event or comment of what was pushed; nil when more bytes are needed.
    ///
    /// Throws `.responseTooLarge` (`.line` or `.event`) when a limit is passed, then and ever after.
    package mutating func next() throws(HTTPError) -> Item? {
        if failure == nil, hasBegun {
            let bytes = pushed
            if let item = bytes.withUnsafeBufferPointer({ scan($0) }) { return item }
            (pushed, place) = ([], 0)
        }
        if let failure { throw .responseTooLarge(failure) }
        return nil
    }

    /// Drops a byte order mark at the start, as soon as it can be told that it is one.
    private mutating func begin() {
        if pushed.count < 3, EventStreamParser.byteOrderMark.starts(with: pushed) { return }
        hasBegun = true
        if pushed.starts(with: EventStreamParser.byteOrderMark) { place = 3 }
    }

    private mutating func scan(_ bytes: UnsafeBufferPointer<UInt8>) -> Item? {
        while place < bytes.count {
            if skipsLineFeed {
                skipsLineFeed = false
                if bytes[place] == LineEnd.lineFeed {
                    place += 1
                    continue
                }
            }
            let end = LineEnd.first(in: bytes, from: place)
            let piece = UnsafeBufferPointer(rebasing: bytes[place..<(end ?? bytes.count)])
            guard partialLine.count + piece.count <= maxLineBytes else {
                failure = SizeLimitFailure(.line, limit: maxLineBytes)
                return nil
            }
            guard let end else {
                partialLine.append(contentsOf: piece)
                place = bytes.count
                return nil
            }
            place = end + 1
            skipsLineFeed = bytes[end] == LineEnd.carriageReturn
            let item = take(piece)
            if fields.isTooLarge {
                failure = SizeLimitFailure(.event, limit: maxEventBytes)
                return nil
            }
            if let item { return item }
        }
        return nil
    }

    /// Takes in a line whose last piece is here.
    private mutating func take(_ piece: UnsafeBufferPointer<UInt8>) -> Item? {
        guard !partialLine.isEmpty else { return fields.take(piece) }
        var line: [UInt8] = []
        swap(&line, &partialLine)
        line.append(contentsOf: piece)
        let item = line.withUnsafeBufferPointer { fields.take($0) }
        // Its room is used again, unless it is large.
        if line.capacity <= 64 * 1024 {
            line.removeAll(keepingCapacity: true)
            swap(&line, &partialLine)
        }
        return item
    }
}
