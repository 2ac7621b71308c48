/// The head of a request as received, and what follows from it for the body and the connection.
struct RequestHead: Sendable {
    var method = HTTPMethod.get
    /// The request target as sent (RFC 9112 §3.2).
    var target = "/"
    var version = HTTPVersion.http11
    var fields: HTTPFields = [:]
    var framing = BodyFraming.none
    /// The received bytes, including the empty line.
    var received: [UInt8] = []

    /// Whether the client waits for a 100 before it sends the body (RFC 9110 §10.1.1).
    var expectsContinue: Bool { version == .http11 && framing != .none && fields.contains(.expect) }

    /// Whether the connection stays open after the response (RFC 9112 §9.3).
    var keepsAlive: Bool {
        guard let connection = fields[.connection] else { return version == .http11 }
        if RequestHead.list(connection, contains: "close") { return false }
        return version == .http11 || RequestHead.list(connection, contains: "keep-alive")
    }

    static func list(_ text: String, contains token: String) -> Bool {
        text.split(separator: ",").contains { $0.trimmingWhitespace.equalsIgnoringCase(token) }
    }
}

extension RequestHead {
    /// Reads a request line, without its line end (RFC 9112 §3).
    init(line: ArraySlice<UInt8>) throws(RequestRefusal) {
        let parts = line.split(separator: 0x20, maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty, !parts[1].isEmpty else {
            throw RequestRefusal(400, "the request line is not 'method target version'")
        }
        guard parts[0].allSatisfy(Token.contains) else { throw RequestRefusal(400, "the method is not a token") }
        guard parts[1].allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw RequestRefusal(400, "the request target has a byte that must be percent-encoded")
        }
        method = HTTPMethod(rawValue: String(decoding: parts[0], as: UTF8.self))
        target = String(decoding: parts[1], as: UTF8.self)
        version = try RequestHead.version(parts[2])
    }

    private static func version(_ bytes: ArraySlice<UInt8>) throws(RequestRefusal) -> HTTPVersion {
        let digits = bytes.suffix(3)
        guard bytes.count == 8, bytes.starts(with: "HTTP/".utf8), let major = digits.first, let minor = digits.last,
            Token.isDigit(major), Token.isDigit(minor), digits.dropFirst().first == UInt8(ascii: ".")
        else { throw RequestRefusal(400, "the request line does not end with a version of HTTP") }
        guard major == UInt8(ascii: "1") else { throw RequestRefusal(505, "this server speaks HTTP/1.1 and HTTP/1.0") }
        return minor == UInt8(ascii: "0") ? .http10 : .http11
    }

    /// Adds a field line, without its line end (RFC 9112 §5).
    static func read(fieldLine line: ArraySlice<UInt8>, into fields: inout HTTPFields) throws(RequestRefusal) {
        if let first = line.first, Token.isWhitespace(first) {
            throw RequestRefusal(400, "a field line is folded (RFC 9112 §5.2)")
        }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw RequestRefusal(400, "a field line has no colon") }
        let name = line[..<colon]
        let value = line[(colon + 1)...]
        guard !name.isEmpty, name.allSatisfy(Token.contains) else { throw RequestRefusal(400, "a field's name is not a token") }
        guard value.allSatisfy(Token.isFieldContent) else { throw RequestRefusal(400, "a field's value has a control character") }
        fields.append(nameBytes: name, valueBytes: value)
    }

    /// Checks a complete head and determines where the body ends.
    mutating func complete(bodyLimit: Int) throws(RequestRefusal) {
        guard version == .http10 || fields.bytes(for: .host).count == 1 else {
            throw RequestRefusal(400, "there must be one Host field (RFC 9112 §3.2)")
        }
        framing = try RequestHead.framing(fields, version: version, bodyLimit: bodyLimit)
        if let expectation = fields[.expect], !expectation.equalsIgnoringCase("100-continue") {
            throw RequestRefusal(417, "the expectation '\(expectation)' is unknown")
        }
    }

    static func framing(_ fields: HTTPFields, version: HTTPVersion, bodyLimit: Int) throws(RequestRefusal) -> BodyFraming {
        let lengths = fields.bytes(for: .contentLength).flatMap { $0.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) }
        if let coding = fields[.transferEncoding] {
            guard lengths.isEmpty else { throw RequestRefusal(400, "there are both Transfer-Encoding and Content-Length (RFC 9112 §6.1)") }
            guard version == .http11 else { throw RequestRefusal(400, "HTTP/1.0 has no Transfer-Encoding") }
            guard coding.equalsIgnoringCase("chunked") else { throw RequestRefusal(501, "the transfer coding '\(coding)' is unknown") }
            return .chunked
        }
        guard let first = lengths.first else { return .none }
        let length = try number(first)
        for other in lengths.dropFirst() {
            guard try number(other) == length else { throw RequestRefusal(400, "there are Content-Length fields that differ") }
        }
        guard length <= bodyLimit else { throw RequestRefusal.bodyTooLarge(bodyLimit) }
        return length == 0 ? .none : .length(length)
    }

    private static func number(_ text: ArraySlice<UInt8>) throws(RequestRefusal) -> Int {
        let digits = String(decoding: text, as: UTF8.self).trimmingWhitespace
        guard !digits.isEmpty else { throw RequestRefusal(400, "a Content-Length is empty") }
        guard digits.isDecimal, let value = Int(digits) else { throw RequestRefusal(400, "a Content-Length is not a number") }
        return value
    }
}

/// How the end of a request's body is determined (RFC 9112 §6.3).
enum BodyFraming: Sendable, Equatable {
    case none
    case length(Int)
    case chunked
}

/// The reason and the status with which a request is refused.
struct RequestRefusal: Error, Equatable {
    let status: HTTPStatus
    let words: String

    init(_ status: HTTPStatus, _ words: String) {
        self.status = status
        self.words = words
    }

    static func bodyTooLarge(_ limit: Int) -> RequestRefusal {
        RequestRefusal(413, "the request's body is larger than this server's limit of \(limit) bytes")
    }
}
