import Foundation
import Martlet

/// A reply as bytes for the wire: a function of values.
struct ReplyBytes: Sendable {
    /// What is written; may break off anywhere.
    var bytes: [UInt8]
    /// Whether the connection ends after them.
    var closes: Bool

    init(_ reply: MockReply, to request: RecordedRequest) {
        closes = reply.closesConnection || request.closesConnection
        if let raw = reply.raw {
            bytes = Array(raw)
            closes = true
            return
        }
        let head = ReplyBytes.head(reply, closes: closes || reply.framing == .untilClose)
        let hasBody = request.method != .head && !reply.status.forbidsContent
        let body = hasBody ? ReplyBytes.body(reply) : []
        closes = closes || reply.framing == .untilClose && hasBody
        bytes = head + body
        switch reply.ending {
        case .whole: return
        case .disconnectBeforeHead: bytes = []
        case .disconnectAfterHeadBytes(let count): bytes = Array(bytes.prefix(min(count, head.count)))
        case .disconnectAfterBodyBytes(let count): bytes = Array(bytes.prefix(head.count + count))
        }
        closes = true
    }

    private static func head(_ reply: MockReply, closes: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        for interim in reply.interim { bytes += lines(interim.status, interim.headers) }
        var headers = reply.headers
        switch reply.framing {
        case .chunked: if !headers.contains(.transferEncoding) { headers.append(.transferEncoding, "chunked") }
        case .fixed where !reply.status.forbidsContent:
            if !headers.contains(.contentLength) { headers.append(.contentLength, "\(reply.body.count)") }
        case .fixed, .untilClose: break
        }
        if closes, !headers.contains(.connection) { headers.append(.connection, "close") }
        return bytes + lines(reply.status, headers)
    }

    private static func lines(_ status: HTTPStatus, _ headers: HTTPFields) -> [UInt8] {
        var bytes = Array("HTTP/1.1 \(status.rawValue) \(status.reasonPhrase)\r\n".utf8)
        headers.forEachLineOfBytes { name, value in
            bytes += name
            bytes += Array(": ".utf8)
            bytes += value
            bytes += [13, 10]
        }
        return bytes + [13, 10]
    }

    private static func body(_ reply: MockReply) -> [UInt8] {
        guard case .chunked(let size) = reply.framing else { return Array(reply.body) }
        var bytes: [UInt8] = []
        var rest = reply.body[...]
        while !rest.isEmpty {
            let chunk = rest.prefix(size)
            rest = rest.dropFirst(chunk.count)
            bytes += Array("\(String(chunk.count, radix: 16))\r\n".utf8)
            bytes += chunk
            bytes += [13, 10]
        }
        bytes += Array("0\r\n".utf8)
        reply.trailers.forEachLineOfBytes { name, value in
            bytes += name
            bytes += Array(": ".utf8)
            bytes += value
            bytes += [13, 10]
        }
        return bytes + [13, 10]
    }
}
