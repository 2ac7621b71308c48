/// The fields of the current event, built line by line (WHATWG HTML §9.2.6).
struct EventFields: Sendable {
    /// The last event id as of the last blank line.
    private(set) var lastEventID: String
    /// The last id of the stream that a header field can contain, for `Last-Event-ID`. Nil if the stream has set none.
    private(set) var sendableID: String?
    /// The reconnection time, or nil if the stream has set none.
    private(set) var reconnectionTime: Duration?
    /// Whether the event has exceeded its size limit.
    private(set) var isTooLarge = false

    private let keepsComments: Bool
    private let keepsEmptyEvents: Bool
    private let maxEventBytes: Int
    /// The lines of data, each with a line feed.
    private var lines: [UInt8] = []
    private var type = ""
    private var id: String
    private var retry: Duration?

    /// A buffer with a larger capacity is released after the event.
    private static let keptCapacity = 64 * 1024

    init(lastEventID: String, keepsComments: Bool, keepsEmptyEvents: Bool = false, maxEventBytes: Int) {
        self.lastEventID = lastEventID
        self.keepsComments = keepsComments
        self.keepsEmptyEvents = keepsEmptyEvents
        self.maxEventBytes = maxEventBytes
        id = lastEventID
    }

    /// Whether a header field can contain an id. Another id, set by mistake or by malice, would make every reconnection fail.
    static func canSend(_ id: String) -> Bool { id.utf8.count <= 4096 && id.utf8.allSatisfy(Token.isFieldContent) }

    /// Processes one line without its end. Returns the event or comment that it completes, if any.
    mutating func take(_ line: UnsafeBufferPointer<UInt8>) -> EventStreamParser.Item? {
        guard let first = line.first else { return dispatch() }
        if first == UInt8(ascii: ":") { return keepsComments ? .comment(text(value(of: line, after: 0))) : nil }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.count
        let value = value(of: line, after: colon)
        switch colon {
        case 4 where isNamed(line, "data"): append(value)
        case 5 where isNamed(line, "event"): type = text(value)
        case 2 where isNamed(line, "id"): if !value.contains(0) { id = text(value) }
        case 5 where isNamed(line, "retry"): setRetry(value)
        default: break
        }
        return nil
    }

    /// Whether a line begins with a name. The line must be at least as long as the name.
    private func isNamed(_ line: UnsafeBufferPointer<UInt8>, _ name: StaticString) -> Bool {
        let start = name.utf8Start
        for index in 0..<name.utf8CodeUnitCount where line[index] != start[index] { return false }
        return true
    }

    /// Returns the bytes after the colon, without one leading space.
    private func value(of line: UnsafeBufferPointer<UInt8>, after colon: Int) -> UnsafeBufferPointer<UInt8> {
        var start = min(colon + 1, line.count)
        if start < line.count, line[start] == UInt8(ascii: " ") { start += 1 }
        return UnsafeBufferPointer(rebasing: line[start...])
    }

    private func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    private mutating func append(_ value: UnsafeBufferPointer<UInt8>) {
        guard lines.count + value.count <= maxEventBytes else { return isTooLarge = true }
        lines.append(contentsOf: value)
        lines.append(LineEnd.lineFeed)
    }

    private mutating func setRetry(_ value: UnsafeBufferPointer<UInt8>) {
        guard !value.isEmpty, value.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return }
        // The text has only digits, so it fails to be an integer only if it is too large.
        retry = .milliseconds(Int64(text(value)) ?? .max)
        reconnectionTime = retry
    }

    private mutating func dispatch() -> EventStreamParser.Item? {
        // An id is opaque: the server may compare its bytes.
        if !id.hasSameBytes(as: lastEventID), EventFields.canSend(id) { sendableID = id }
        lastEventID = id
        defer {
            type = ""
            retry = nil
            lines.removeAll(keepingCapacity: lines.capacity <= EventFields.keptCapacity)
        }
        guard !lines.isEmpty || keepsEmptyEvents && !type.isEmpty else { return nil }
        let content = lines.withUnsafeBufferPointer { text(UnsafeBufferPointer(rebasing: $0.dropLast())) }
        return .event(ServerSentEvent(type: type.isEmpty ? "message" : type, data: content, id: id, retry: retry))
    }
}
