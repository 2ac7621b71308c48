internal import MartletEssentials

/// One connection of an event stream that is open. Letting go of it closes it.
struct EventConnection {
    /// The answer but for its body.
    let head: HTTPResponse<Void>
    private(set) var parser: EventStreamParser
    private var chunks: HTTPBody.AsyncIterator
    private let cancel: @Sendable () -> Void
    private let stream: BodyStream?

    /// How much is read for the sake of the connection when nobody wants any more, and how long it is waited for.
    private static let restBytes = 64 * 1024
    private static let patience = Duration.seconds(1)

    init(_ response: HTTPResponse<HTTPBody>, lastEventID: String, _ options: EventOptions, keepsComments: Bool) {
        head = response.map { _ in }
        parser = EventStreamParser(
            lastEventID: lastEventID, keepsComments: keepsComments, maxLineBytes: options.maxLineBytes,
            maxEventBytes: options.maxEventBytes)
        chunks = response.body.makeAsyncIterator()
        cancel = response.body.interruption
        stream = if case .stream(let stream) = response.body.storage { stream } else { nil }
    }

    /// The next event or comment; nil at the end of the stream. What `control` interrupts fails with `.cancelled`.
    mutating func next(interruptedBy control: EventControl?) async -> Result<EventStreamParser.Item?, HTTPError> {
        do throws(HTTPError) {
            while true {
                if let item = try parser.next() { return .success(item) }
                // An id without data is news to whoever keeps it, though there may be nothing to read for long.
                control?.setLastEventID(parser.lastEventID)
                guard let chunk = try await chunk(control) else { return .success(nil) }
                parser.push(chunk)
            }
        } catch {
            return .failure(error.completed(ifKnown: head.metadata.request, stage: .body))
        }
    }

    /// Lets the stream come to its end, if that is near, so that its connection can be used again: after an end marker nothing but the
    /// end follows.
    func finish(time: any TimeSource) {
        guard let stream else { return }
        let timer = time.timer(at: time.instant + EventConnection.patience, fire: cancel)
        Task {
            var count = 0
            while count < EventConnection.restBytes, let chunk = try? await stream.next() { count += chunk.count }
            timer.cancel()
        }
    }

    private mutating func chunk(_ control: EventControl?) async throws(HTTPError) -> Data? {
        control?.arm(cancel)
        defer { control?.disarm() }
        return try await chunks.next()
    }
}
