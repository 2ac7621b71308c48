import Foundation
import Martlet

/// Reads HTTP/1.1 requests from bytes as they come (RFC 9112): bytes in, events out, no I/O.
struct RequestParser {
    enum Event: Sendable {
        /// The head is there and the client waits for 100 before it sends the body.
        case expectsContinue
        case request(RecordedRequest)
        /// What came can't be understood or is too much: answer with this status and close.
        case failure(HTTPStatus, String)
    }

    struct Limits: Sendable {
        var headBytes: Int
        var bodyBytes: Int
    }

    private enum Phase {
        case head
        case fixed(remaining: Int)
        case chunkSize
        case chunk(remaining: Int)
        case chunkEnd
        case trailers
        case failed
    }

    private let limits: Limits
    private var buffer: [UInt8] = []
    private var start = 0
    private var phase = Phase.head
    private var request: RecordedRequest?
    private var isWaiting = false

    init(limits: Limits) { self.limits = limits }

    /// How many bytes wait to be understood.
    var buffered: Int { buffer.count - start }

    mutating func feed(_ bytes: some Collection<UInt8>) {
        if start > 0, start == buffer.count || start > 1 << 16 {
            buffer.removeFirst(start)
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// The next event, or nil when more bytes are needed.
    mutating func next() -> Event? {
        while true {
            switch phase {
            case .failed: return nil
            case .head: if let event = readHead() { return event } else if request == nil { return nil }
            case .fixed(let remaining):
                let taken = take(remaining)
                phase = .fixed(remaining: remaining - taken)
                if taken == remaining { return finish() }
                if buffered == 0 { return nil }
            case .chunkSize:
                guard let line = readLine() else { return overlongLine() }
                if let failure = beginChunk(line) { return failure }
            case .chunk(let remaining):
                let taken = take(remaining)
                phase = taken == remaining ? .chunkEnd : .chunk(remaining: remaining - taken)
                if taken < remaining { return nil }
            case .chunkEnd:
                guard let line = readLine() else { return overlongLine() }
                guard line.isEmpty else { return fail(400, "a chunk does not end where its size says") }
                phase = .chunkSize
            case .trailers:
                guard let line = readLine() else { return overlongLine() }
                if line.isEmpty { return finish() }
                guard let field = Self.field(line) else { return fail(400, "a trailer is not a field") }
                request?.trailers.append(nameBytes: field.name, valueBytes: field.value)
            }
        }
    }

    // MARK: The head

    private mutating func readHead() -> Event? {
        while buffered >= 2, buffer[start] == 13, buffer[start + 1] == 10 { start += 2 }  // RFC 9112 §2.2: blank lines are ignored
        guard let end = endOfHead() else {
            return buffered > limits.headBytes ? fail(431, "the head is larger than \(limits.headBytes) bytes") : nil
        }
        guard end - start <= limits.headBytes else { return fail(431, "the head is larger than \(limits.headBytes) bytes") }
        var lines = Self.lines(buffer[start..<end])
        start = end + 4
        guard let request = Self.requestLine(lines.removeFirst()) else { return fail(400, "the request line is malformed") }
        self.request = request
        for line in lines {
            guard let field = Self.field(line) else { return fail(400, "a header line is malformed") }
            self.request?.headers.append(nameBytes: field.name, valueBytes: field.value)
        }
        return beginBody()
    }

    private func endOfHead() -> Int? {
        guard buffered >= 4 else { return nil }
        var index = start
        let last = min(buffer.count, start + limits.headBytes + 4) - 4
        while index <= last {
            if buffer[index] == 13, buffer[index + 1] == 10, buffer[index + 2] == 13, buffer[index + 3] == 10 { return index }
            index += 1
        }
        return nil
    }

    private mutating func beginBody() -> Event? {
        guard let headers = request?.headers else { return nil }
        let codings = headers.values(for: .transferEncoding).map { $0.lowercased() }
        let lengths = Set(headers.values(for: .contentLength))
        if !codings.isEmpty {
            guard lengths.isEmpty else { return fail(400, "both Transfer-Encoding and Content-Length") }
            guard codings == ["chunked"] else { return fail(501, "the only transfer coding is chunked") }
            phase = .chunkSize
        } else if let text = lengths.first {
            guard lengths.count == 1, let length = Int(text), length >= 0, text.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }) else {
                return fail(400, "Content-Length is not one number")
            }
            guard length <= limits.bodyBytes else { return fail(413, "the body is larger than \(limits.bodyBytes) bytes") }
            phase = .fixed(remaining: length)
        } else {
            phase = .fixed(remaining: 0)
        }
        let waits = headers.values(for: .expect).contains { $0.lowercased() == "100-continue" }
        return waits ? .expectsContinue : nil
    }

    // MARK: The body

    private mutating func beginChunk(_ line: ArraySlice<UInt8>) -> Event? {
        let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != 32 }
        guard !digits.isEmpty, digits.count <= 8, let size = Int(String(decoding: digits, as: UTF8.self), radix: 16),
            digits.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") })
        else { return fail(400, "a chunk's size is malformed") }
        guard (request?.body.count ?? 0) + size <= limits.bodyBytes else {
            return fail(413, "the body is larger than \(limits.bodyBytes) bytes")
        }
        phase = size == 0 ? .trailers : .chunk(remaining: size)
        return nil
    }

    private mutating func take(_ count: Int) -> Int {
        let taken = min(count, buffered)
        request?.body.append(contentsOf: buffer[start..<start + taken])
        start += taken
        return taken
    }

    private mutating func finish() -> Event? {
        defer { request = nil }
        phase = .head
        return request.map(Event.request)
    }

    private mutating func readLine() -> ArraySlice<UInt8>? {
        guard let end = buffer[start...].firstIndex(of: 10) else { return nil }
        let line = buffer[start..<end]
        start = end + 1
        return line.last == 13 ? line.dropLast() : line
    }

    private mutating func overlongLine() -> Event? {
        buffered > limits.headBytes ? fail(400, "a line is longer than \(limits.headBytes) bytes") : nil
    }

    private mutating func fail(_ status: HTTPStatus, _ why: String) -> Event {
        phase = .failed
        return .failure(status, why)
    }

    // MARK: Lines

    private static func lines(_ head: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        head.split(separator: 10, omittingEmptySubsequences: false).map { $0.last == 13 ? $0.dropLast() : $0 }
    }

    private static func requestLine(_ line: ArraySlice<UInt8>) -> RecordedRequest? {
        let parts = line.split(separator: 32, omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[1].isEmpty else { return nil }
        let version = String(decoding: parts[2], as: UTF8.self)
        let method = HTTPMethod(rawValue: String(decoding: parts[0], as: UTF8.self))
        guard version == "HTTP/1.1" || version == "HTTP/1.0", method.isValid else { return nil }
        var request = RecordedRequest(method: method, target: String(decoding: parts[1], as: UTF8.self), headers: [:])
        if version == "HTTP/1.0" { request.headers.append(.connection, "close") }
        return request
    }

    /// A field line; nil when its name is no token, which takes in folded lines (RFC 9112 §5.2).
    private static func field(_ line: ArraySlice<UInt8>) -> (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else { return nil }
        let name = line[..<colon]
        return name.allSatisfy(Token.contains) ? (name, line[(colon + 1)...]) : nil
    }
}
