package import MartletEssentials

/// A request and its result: the contents of a HAR entry.
package struct RecordedExchange: Sendable {
    /// A body, as far as it was recorded.
    package enum Body: Sendable {
        case bytes(Data)
        /// The body is not in the file. Its size is given if it is known.
        case missing(size: Int?)
        /// The bytes that were read before the reader stopped.
        case start(Data)

        package var bytes: Data? { if case .bytes(let data) = self { data } else { nil } }
    }

    /// The response of an exchange.
    package struct Answer: Sendable {
        package var status: HTTPStatus
        package var version: HTTPVersion?
        package var headers: HTTPFields = [:]
        package var trailers: HTTPFields = [:]
        package var body = Body.bytes(Data())
        /// Whether the transport decoded a content coding.
        package var wasContentCoded = false

        package init(
            status: HTTPStatus, version: HTTPVersion? = nil, headers: HTTPFields = [:], trailers: HTTPFields = [:],
            body: Body = .bytes(Data()), wasContentCoded: Bool = false
        ) {
            self.status = status
            self.version = version
            self.headers = headers
            self.trailers = trailers
            self.body = body
            self.wasContentCoded = wasContentCoded
        }
    }

    /// The durations of the phases. Nil for phases that are not known or did not happen.
    package struct Phases: Sendable {
        package var blocked: Duration?
        package var lookup: Duration?
        /// Includes TLS.
        package var connect: Duration?
        package var tls: Duration?
        var send = Duration.zero
        package var wait = Duration.zero
        package var receive = Duration.zero

        package init() {}

        /// The duration up to the head of the response.
        package var head: Duration { (blocked ?? .zero) + (lookup ?? .zero) + (connect ?? .zero) + send + wait }
    }

    /// The number of the entry, counted from 1.
    package var number = 0
    var started = Date(timeIntervalSince1970: 0)
    package var method: HTTPMethod
    package var url: String
    package var headers: HTTPFields = [:]
    package var requestBody = Body.bytes(Data())
    /// The response, or nil if there was none.
    package var answer: Answer?
    /// The reason for a missing response or a truncated body.
    package var failure: HTTPError?
    package var phases = Phases()
    package var remoteAddress: String?

    package init(
        started: Date = Date(timeIntervalSince1970: 0), method: HTTPMethod, url: String, headers: HTTPFields = [:],
        requestBody: Body = .bytes(Data()), answer: Answer? = nil
    ) {
        self.started = started
        self.method = method
        self.url = url
        self.headers = headers
        self.requestBody = requestBody
        self.answer = answer
    }
}
