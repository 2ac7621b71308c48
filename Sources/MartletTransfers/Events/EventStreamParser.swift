/// Parses the bytes of an event stream, which may be split anywhere, into events (WHATWG HTML §9.2.5 and §9.2.6).
///
/// Bytes are pushed in, and events are taken out one at a time, so that neither memory nor the last event id runs ahead of the reader. An
/// event is available as soon as its blank line has arrived. Each byte is examined once. An incomplete event at the end is dropped.
package struct EventStreamParser: Sendable {
    /// An event or a comment.
    package enum Item: Sendable, Hashable {
        case event(ServerSentEvent)
        case comment(String)
    }

    private var fields: EventFields
    private let maxLineBytes: Int
    private let maxEventBytes: Int

    /// The unread bytes of the last chunks, and the position of the next one.
    private var pushed: [UInt8] = []
    private var place = 0
    /// The beginning of a line whose end has not arrived yet.
    private var partialLine: [UInt8] = []
    /// Whether a line feed as the next byte belongs to the carriage return before it.
    private var skipsLineFeed = false
    /// Whether the first bytes have been checked for a byte order mark.
    private var hasBegun = false
    private var failure: SizeLimitFailure?

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Creates a parser for one stream.
    ///
    /// - Parameters:
    ///   - lastEventID: The id of events until the stream sets another.
    ///   - keepsComments: Whether comments are returned or skipped.
    ///   - keepsEmptyEvents: Whether an event with a type and without a line of data is returned, with empty data. The standard drops it.
    ///   - maxLineBytes: The maximum number of bytes in a line.
    ///   - maxEventBytes: The maximum number of bytes of data in an event.
    package init(
        lastEventID: String = "", keepsComments: Bool = false, keepsEmptyEvents: Bool = false,
        maxLineBytes: Int = EventOptions.defaultLimit, maxEventBytes: Int = EventOptions.defaultLimit
    ) {
        fields = EventFields(
            lastEventID: lastEventID, keepsComments: keepsComments, keepsEmptyEvents: keepsEmptyEvents, maxEventBytes: maxEventBytes)
        self.maxLineBytes = maxLineBytes
        self.maxEventBytes = maxEventBytes
    }

    /// The last event id, as of the last event that was taken out or of a later blank line.
    var lastEventID: String { fields.lastEventID }

    /// The last id of the stream that can be sent, or nil if the stream has set none.
    package var sendableID: String? { fields.sendableID }

    /// The last reconnection time of the stream, or nil if the stream has set none.
    package var reconnectionTime: Duration? { fields.reconnectionTime }

    /// Returns all items that `bytes` complete. Throws like ``next()``; items before the error are lost.
    package mutating func feed(_ bytes: some Collection<UInt8>) throws(HTTPError) -> [Item] {
        push(bytes)
        var items: [Item] = []
        while let item = try next() { items.append(item) }
        return items
    }

    /// Adds the next bytes of the stream.
    package mutating func push(_ bytes: some Collection<UInt8>) {
        if place == pushed.count {
            // `Data` converts itself to an array slowly.
            pushed = bytes.withContiguousStorageIfAvailable { Array($0) } ?? Array(bytes)
            place = 0
        } else {
            pushed.append(contentsOf: bytes)
        }
        if !hasBegun { begin() }
    }

    /// Returns the next event or comment of the pushed bytes, or nil if more bytes are needed.
    ///
    /// Throws `.responseTooLarge` (`.line` or `.event`) for an exceeded limit, and again on every later call.
    package mutating func next() throws(HTTPError) -> Item? {
        if failure == nil, hasBegun {
            let bytes = pushed
            if let item = bytes.withUnsafeBufferPointer({ scan($0) }) { return item }
            (pushed, place) = ([], 0)
        }
        if let failure { throw .responseTooLarge(failure) }
        return nil
    }

    /// Skips a byte order mark at the start, as soon as enough bytes have arrived.
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

    /// Processes a line whose last piece has arrived.
    private mutating func take(_ piece: UnsafeBufferPointer<UInt8>) -> Item? {
        guard !partialLine.isEmpty else { return fields.take(piece) }
        var line: [UInt8] = []
        swap(&line, &partialLine)
        line.append(contentsOf: piece)
        let item = line.withUnsafeBufferPointer { fields.take($0) }
        // The buffer is reused unless it is large.
        if line.capacity <= 64 * 1024 {
            line.removeAll(keepingCapacity: true)
            swap(&line, &partialLine)
        }
        return item
    }
}

/// Finds the ends of lines in an event stream: a carriage return, a line feed, or both in this order.
enum LineEnd {
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// Returns the position of the first carriage return or line feed from `start` on, or nil. It examines eight bytes at a time.
    static func first(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        let words = UnsafeRawBufferPointer(bytes)
        var place = start
        while place + 8 <= bytes.count {
            let word = UInt64(littleEndian: words.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            let found = zeros(word ^ (ones &* UInt64(lineFeed))) | zeros(word ^ (ones &* UInt64(carriageReturn)))
            if found != 0 { return place + found.trailingZeroBitCount / 8 }
            place += 8
        }
        while place < bytes.count {
            if bytes[place] == lineFeed || bytes[place] == carriageReturn { return place }
            place += 1
        }
        return nil
    }

    /// Returns a word with the high bit set for the lowest zero byte. The bits of the bytes above it may be wrong.
    private static func zeros(_ word: UInt64) -> UInt64 { (word &- ones) & ~word & highBits }
}
