import Martlet
import MartletTesting

/// Adds the phases of a connection to the replies of a `MockTransport`: the first exchange with a host looks up its name, connects and
/// negotiates TLS; later ones reuse the connection.
struct TimedTransport: Transport {
    let mock: MockTransport
    private let hosts = Hosts()

    init(_ mock: MockTransport) { self.mock = mock }

    var calls: CallGroup? { mock.calls }
    var opensWebSockets: Bool { mock.opensWebSockets }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        let clock = ContinuousClock(), start = clock.now
        var timings = ResponseMetadata.Timings(queued: .microseconds(120))
        let isNew = await hosts.isNew(request.url.host ?? "")
        if isNew {
            timings.nameLookup = await pause(.milliseconds(7))
            timings.connect = await pause(.milliseconds(18))
            timings.tls = await pause(.milliseconds(29))
        }
        var response = try await mock.send(request)
        let passed = clock.now - start
        timings.firstByte = passed
        if response.body.buffered != nil { timings.total = passed + .milliseconds(2) }
        response.metadata.version = .http2
        response.metadata.timings = timings
        response.metadata.remoteAddress = "192.0.2.10"
        response.metadata.isConnectionReused = !isNew
        return response
    }

    private func pause(_ duration: Duration) async -> Duration {
        let clock = ContinuousClock(), start = clock.now
        try? await Task.sleep(for: duration)
        return clock.now - start
    }
}

/// The hosts that have a connection.
private actor Hosts {
    private var known: Set<String> = []

    func isNew(_ host: String) -> Bool { known.insert(host).inserted }
}
