/// What the lines of an event have said so far (WHATWG HTML §9.2.6).
struct EventFields: Sendable {
    /// The last event id as of the last blank line: what a reconnection tells the server.
    private(set) var lastEventID: String
    /// The reconnection time, when the stream has set one.
    private(set) var reconnectionTime: Duration?
    /// Whether the event has passed its limit.
    private(set) var isTooLarge = false

    private let keepsComments: Bool
    private let maxEventBytes: Int
    private var data: [UInt8] = []
    private var type = ""
    private var id: String
    private var retry: Duration?

    /// More room than this is given back after an event.
    private static let keptCapacity = 64 * 1024

    init(lastEventID: String, keepsComments: Bool, maxEventBytes: Int) {
        self.lastEventID = lastEventID
        self.keepsComments = keepsComments
        self.maxEventBytes = maxEventBytes
        id = lastEventID
    }

    /// Takes one line in, without its end; gives what it completes.
    mutating func take(_ line: UnsafeRawBufferPointer) -> EventStreamParser.Item? {
        guard let first = line.first else { return dispatch() }
        if first == UInt8(ascii: ":") { return keepsComments ? .comment(text(value(of: line, after: 0))) : nil }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.count
        let value = value(of: line, after: colon)
        switch colon {
        case 4 where line.starts(with: "data".utf8): append(value)
        case 5 where line.starts(with: "event".utf8): type = text(value)
        case 2 where line.starts(with: "id".utf8): if !value.contains(0) { id = text(value) }
        case 5 where line.starts(with: "retry".utf8): setRetry(value)
        default: break
        }
        return nil
    }

    /// What follows the colon, without one space.
    private func value(of line: UnsafeRawBufferPointer, after colon: Int) -> UnsafeRawBufferPointer {
        var start = min(colon + 1, line.count)
        if start < line.count, line[start] == UInt8(ascii: " ") { start += 1 }
        return UnsafeRawBufferPointer(rebasing: line[start...])
    }

    private func text(_ bytes: UnsafeRawBufferPointer) -> String { String(decoding: bytes, as: UTF8.self) }

    private mutating func append(_ value: UnsafeRawBufferPointer) {
        guard data.count + value.count <= maxEventBytes else { return isTooLarge = true }
        data.append(contentsOf: value)
        data.append(LineEnd.lineFeed)
    }

    private mutating func setRetry(_ value: UnsafeRawBufferPointer) {
        guard !value.isEmpty, value.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return }
        // Digits alone fail to be a number only by being too many.
        retry = .milliseconds(Int64(text(value)) ?? .max)
        reconnectionTime = retry
    }

    private mutating func dispatch() -> EventStreamParser.Item? {
        lastEventID = id
        defer {
            type = ""
            retry = nil
            data.removeAll(keepingCapacity: data.capacity <= EventFields.keptCapacity)
        }
        guard !data.isEmpty else { return nil }
        let content = data.withUnsafeBytes { text(UnsafeRawBufferPointer(rebasing: $0.dropLast())) }
        return .event(ServerSentEvent(type: type.isEmpty ? "message" : type, data: content, id: id, retry: retry))
    }
}
