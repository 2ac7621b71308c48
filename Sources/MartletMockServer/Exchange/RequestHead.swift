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
}
