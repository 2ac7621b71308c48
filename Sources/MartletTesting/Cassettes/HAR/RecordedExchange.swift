internal import MartletEssentials

/// A request and its result: the contents of a HAR entry.
struct RecordedExchange: Sendable {
    /// A body, as far as it was recorded.
    enum Body: Sendable {
        case bytes(Data)
        /// The body is not in the file. Its size is given if it is known.
        case missing(size: Int?)
        /// The bytes that were read before the reader stopped.
        case start(Data)

        var bytes: Data? { if case .bytes(let data) = self { data } else { nil } }
    }

    /// The response of an exchange.
    struct Answer: Sendable {
        var status: HTTPStatus
        var version: HTTPVersion?
        var headers: HTTPFields = [:]
        var trailers: HTTPFields = [:]
        var body = Body.bytes(Data())
        /// Whether the transport decoded a content coding.
        var wasContentCoded = false
    }

    /// The durations of the phases. Nil for phases that are not known or did not happen.
    struct Phases: Sendable {
        var blocked: Duration?
        var lookup: Duration?
        /// Includes TLS.
        var connect: Duration?
        var tls: Duration?
        var send = Duration.zero
        var wait = Duration.zero
        var receive = Duration.zero

        /// The duration up to the head of the response.
        var head: Duration { (blocked ?? .zero) + (lookup ?? .zero) + (connect ?? .zero) + send + wait }
    }

    /// The number of the entry, counted from 1.
    var number = 0
    var started = Date(timeIntervalSince1970: 0)
    var method: HTTPMethod
    var url: String
    var headers: HTTPFields = [:]
    var requestBody = Body.bytes(Data())
    /// The response, or nil if there was none.
    var answer: Answer?
    /// The reason for a missing response or a truncated body.
    var failure: HTTPError?
    var phases = Phases()
    var remoteAddress: String?
}

extension RecordedExchange: CustomStringConvertible {
    /// A text such as `entry 3: GET https://api.example.com/users`, with secrets masked.
    var description: String { "entry \(number): \(snapshot.line)" }

    var snapshot: RequestSnapshot {
        RequestSnapshot(method: method, url: url, headers: headers, body: requestBody.bytes ?? Data())
    }
}
