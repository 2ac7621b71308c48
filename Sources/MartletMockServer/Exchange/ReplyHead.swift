internal import MartletEssentials

/// How the end of a reply's body is marked (RFC 9112 §6.3).
enum ReplyFraming: Equatable {
    /// No body, whatever the fields say. The response to HEAD still has the length.
    case noContent
    case length(Int)
    case chunked
    /// As the fields of the reply specify it.
    case asGiven
    case untilClose

    init(_ reply: MockReply, method: HTTPMethod, version: HTTPVersion) {
        let isChunkable = version == .http11
        if method == .head || reply.status.forbidsContent {
            self = .noContent
        } else if reply.isDelimitedByClose {
            self = .untilClose
        } else if reply.headers.contains(.transferEncoding) {
            if case .data = reply.content { self = .asGiven } else { self = .chunked }
        } else if reply.headers.contains(.contentLength) {
            self = .asGiven
        } else if case .data(let data) = reply.content, reply.trailers.isEmpty || !isChunkable {
            self = .length(data.count)
        } else {
            self = isChunkable ? .chunked : .untilClose
        }
    }

    var isChunked: Bool { self == .chunked }

    /// Returns the pieces to write of a body in memory, and the index of the piece after the reply's pause, or nil without a pause.
    func pieces(of reply: MockReply) -> (pieces: [Data], stalled: Int?) {
        var pieces: [Data] =
            switch reply.content {
            case _ where self == .noContent: []
            case .data(let data): data.isEmpty ? [] : [data]
            case .pieces(let pieces): pieces
            case .stream: []
            }
        let stalled = reply.stall.flatMap { ReplyFraming.part(&pieces, at: $0.after) }
        if isChunked { pieces = pieces.map(ReplyHead.chunk) + [ReplyHead.lastChunk(reply.trailers)] }
        return (pieces, stalled.flatMap { $0 < pieces.count ? $0 : nil })
    }

    /// Divides the pieces after a number of bytes and returns the index of the next piece, or nil if there are fewer bytes.
    private static func part(_ pieces: inout [Data], at place: Int) -> Int? {
        var left = place
        for (index, piece) in pieces.enumerated() {
            if left == 0 { return index }
            if left < piece.count {
                pieces.replaceSubrange(index...index, with: [Data(piece.prefix(left)), Data(piece.dropFirst(left))])
                return index + 1
            }
            left -= piece.count
        }
        return left == 0 ? pieces.count : nil
    }
}

/// Writes the head and the framing around a reply's body.
enum ReplyHead {
    static func bytes(of reply: MockReply, framing: ReplyFraming, version: HTTPVersion, closes: Bool) -> Data {
        var bytes = start(reply.status, reply.headers)
        func line(_ text: String) { bytes.append(contentsOf: (text + "\r\n").utf8) }
        switch framing {
        case .length(let length): line("Content-Length: \(length)")
        case .chunked where !reply.headers.contains(.transferEncoding): line("Transfer-Encoding: chunked")
        case .noContent where !reply.status.forbidsContent && !reply.headers.contains(.contentLength):
            if case .data(let data) = reply.content { line("Content-Length: \(data.count)") }
        default: break
        }
        if !reply.headers.contains(.connection) {
            if closes { line("Connection: close") } else if version == .http10 { line("Connection: keep-alive") }
        }
        line("")
        return Data(bytes)
    }

    static func interim(_ interim: MockReply.Interim) -> Data { Data(start(interim.status, interim.headers) + "\r\n".utf8) }

    static func chunk(_ content: Data) -> Data {
        var bytes = Data((String(content.count, radix: 16) + "\r\n").utf8)
        bytes.append(content)
        bytes.append(contentsOf: "\r\n".utf8)
        return bytes
    }

    static func lastChunk(_ trailers: HTTPFields) -> Data {
        var bytes = Array("0\r\n".utf8)
        write(trailers, to: &bytes)
        bytes.append(contentsOf: "\r\n".utf8)
        return Data(bytes)
    }

    private static func start(_ status: HTTPStatus, _ headers: HTTPFields) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        bytes.append(contentsOf: "HTTP/1.1 \(status.rawValue) \(status.reasonPhrase)\r\n".utf8)
        write(headers, to: &bytes)
        return bytes
    }

    /// Writes fields unchanged, also invalid ones that a client must reject: this is a server for tests.
    private static func write(_ fields: HTTPFields, to bytes: inout [UInt8]) {
        fields.forEachLineOfBytes { name, value in
            bytes.append(contentsOf: name)
            bytes.append(contentsOf: ": ".utf8)
            bytes.append(contentsOf: value)
            bytes.append(contentsOf: "\r\n".utf8)
        }
    }
}
