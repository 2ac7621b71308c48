internal import MartletEssentials

/// A request and what became of it: what an entry of a HAR says.
struct RecordedExchange: Sendable {
    /// A body as far as it was kept.
    enum Body: Sendable {
        case bytes(Data)
        /// It had so many bytes, if that is known, and is not in the file.
        case missing(size: Int?)
        /// The bytes that a reader took before it stopped.
        case start(Data)

        var bytes: Data? { if case .bytes(let data) = self { data } else { nil } }
    }

    /// What came.
    struct Answer: Sendable {
        var status: HTTPStatus
        var version: HTTPVersion?
        var headers: HTTPFields = [:]
        var trailers: HTTPFields = [:]
        var body = Body.bytes(Data())
        /// Whether the transport decoded a content coding.
        var wasContentCoded = false
    }

    /// How long it took, phase by phase; nil for what is not known or did not happen.
    struct Phases: Sendable {
        var blocked: Duration?
        var lookup: Duration?
        /// With TLS.
        var connect: Duration?
        var tls: Duration?
        var send = Duration.zero
        var wait = Duration.zero
        var receive = Duration.zero

        /// Up to the head of the answer.
        var head: Duration { (blocked ?? .zero) + (lookup ?? .zero) + (connect ?? .zero) + send + wait }
    }

    /// Counted from 1, as people do.
    var number = 0
    var started = Date(timeIntervalSince1970: 0)
    var method: HTTPMethod
    var url: String
    var headers: HTTPFields = [:]
    var requestBody = Body.bytes(Data())
    /// Nil when none came.
    var answer: Answer?
    /// Why none came, or why its body ended early.
    var failure: HTTPError?
    var phases = Phases()
    var remoteAddress: String?
}

extension RecordedExchange: CustomStringConvertible {
    /// `entry 3: GET https://api.example.com/users`, secrets hidden.
    var description: String { "entry \(number): \(snapshot.line)" }

    var snapshot: RequestSnapshot {
        RequestSnapshot(method: method, url: url, headers: headers, body: requestBody.bytes ?? Data())
    }
}
