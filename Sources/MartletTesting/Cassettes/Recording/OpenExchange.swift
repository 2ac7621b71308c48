internal import MartletEssentials

/// An exchange that has begun and has no result yet.
struct OpenExchange: Sendable {
    let slot: Int
    private let request: HTTPRequest
    private let body: BodyCapture
    private let time: any TimeSource
    private let began: Date
    private let start: ContinuousClock.Instant

    init(request: HTTPRequest, body: BodyCapture, time: any TimeSource, slot: Int) {
        self.request = request
        self.body = body
        self.time = time
        self.slot = slot
        began = time.now
        start = time.instant
    }

    /// Returns the record of an exchange without a response.
    func ended(by failure: HTTPError) -> RecordedExchange {
        var exchange = exchange
        exchange.failure = failure
        exchange.phases.wait = time.instant - start
        return exchange
    }

    /// Returns the record of an exchange with a response and its body.
    func ended(
        _ response: HTTPResponse<HTTPBody>, _ body: RecordedExchange.Body, headAt head: ContinuousClock.Instant? = nil,
        failure: HTTPError? = nil
    ) -> RecordedExchange {
        var exchange = exchange
        exchange.answer = RecordedExchange.Answer(
            status: response.status, version: response.metadata.version, headers: response.headers, trailers: response.metadata.trailers,
            body: body, wasContentCoded: response.metadata.wasContentCoded)
        exchange.failure = failure
        exchange.remoteAddress = response.metadata.remoteAddress
        exchange.phases = phases(response.metadata.timings ?? .init(), headAt: head)
        return exchange
    }

    private var exchange: RecordedExchange {
        let hasBody = request.body != nil
        return RecordedExchange(
            started: began, method: request.method, url: request.url.absoluteString, headers: request.headers,
            requestBody: hasBody ? body.body : .bytes(Data()))
    }

    /// Returns the phases that the transport measured, and otherwise what can be observed from outside.
    private func phases(_ timings: ResponseMetadata.Timings, headAt head: ContinuousClock.Instant?) -> RecordedExchange.Phases {
        let end = time.instant
        var phases = RecordedExchange.Phases()
        phases.blocked = timings.queued
        phases.lookup = timings.nameLookup
        phases.tls = timings.tls
        phases.connect = timings.connect.map { $0 + (timings.tls ?? .zero) } ?? timings.tls
        let before = (phases.lookup ?? .zero) + (phases.connect ?? .zero)
        if let firstByte = timings.firstByte {
            phases.wait = max(.zero, firstByte - before)
        } else {
            phases.wait = max(.zero, (head ?? end) - start - before - (phases.blocked ?? .zero))
        }
        if let head {
            phases.receive = end - head
        } else if let total = timings.total, let firstByte = timings.firstByte {
            phases.receive = max(.zero, total - firstByte)
        }
        return phases
    }
}
