/// A line of libcurl's debug text that tells on which connection, and in which HTTP/2 stream, a request was sent.
///
/// libcurl has no other interface for the streams that a server has not processed (RFC 9113 §6.8). ``CurlVersion/tellsStreams`` names the
/// versions whose text is known.
enum DebugNotice: Hashable {
    /// The transfer uses the connection with this number.
    case connection(Int64)
    /// The request was assigned to this stream of the connection.
    case stream(Int64)
    /// The server retires the connection, and has processed no stream above this one.
    case goAway(lastStream: Int64)
    /// A head on the connection exceeds libcurl's limit for HTTP/2, which ends the connection.
    case headTooLarge
    /// The connection ended, or refused the stream, before the response. libcurl sends the request again, or gives up.
    case connectionDied

    /// Reads a line. Returns nil for all other lines, which are the most.
    init?(_ line: UnsafeBufferPointer<UInt8>) {
        guard let first = line.first else { return nil }
        var line = line[...]
        switch first {
        case UInt8(ascii: "C"):
            if line.starts(with: "Connection died, ".utf8) {
                self = .connectionDied
            } else if line.remove("Connected to "), let mark = line.lastIndex(of: UInt8(ascii: "#")) {
                line = line[(mark + 1)...]
                guard let number = line.removeNumber(), line.remove(")") else { return nil }
                self = .connection(number)
            } else {
                return nil
            }
        case UInt8(ascii: "D"):
            guard line.starts(with: "Downgrades to HTTP/1.1".utf8) else { return nil }
            self = .connectionDied
        case UInt8(ascii: "R"):
            guard line.remove("Re-using existing connection #"), let number = line.removeNumber() else { return nil }
            self = .connection(number)
        case UInt8(ascii: "U"):
            guard line.remove("Using Stream ID: "), let number = line.removeNumber() else { return nil }
            self = .stream(number)
        case UInt8(ascii: "["):
            guard line.remove("[HTTP/2] ["), let number = line.removeNumber(), line.remove("] OPENED stream for ") else { return nil }
            self = .stream(number)
        case UInt8(ascii: "h"), UInt8(ascii: "n"), UInt8(ascii: "p"):
            // The first lines of a request over HTTP/2 with 7.88 begin with "h2h3".
            guard line.starts(with: "h2_process".utf8) || line.starts(with: "nghttp2 ".utf8) || line.starts(with: "process_".utf8),
                CurlFailure.namesLargeHead(String(decoding: line, as: UTF8.self))
            else { return nil }
            self = .headTooLarge
        case UInt8(ascii: "r"):
            // libcurl 7.82 to 8.0 misspell the word.
            guard line.remove("received GOAWAY, error=") || line.remove("recveived GOAWAY, error="), line.removeNumber() != nil,
                line.remove(", last_stream="), let number = line.removeNumber()
            else { return nil }
            self = .goAway(lastStream: number)
        default: return nil
        }
    }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
    /// Removes a prefix. Returns false, and removes nothing, if the bytes begin differently.
    fileprivate mutating func remove(_ prefix: StaticString) -> Bool {
        let prefix = UnsafeBufferPointer(start: prefix.utf8Start, count: prefix.utf8CodeUnitCount)
        guard starts(with: prefix) else { return false }
        removeFirst(prefix.count)
        return true
    }

    /// Removes and returns a decimal number of at most 18 digits.
    fileprivate mutating func removeNumber() -> Int64? {
        let digits = prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        guard !digits.isEmpty, digits.count <= 18 else { return nil }
        removeFirst(digits.count)
        return digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    }
}
