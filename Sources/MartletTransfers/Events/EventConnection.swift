internal import MartletEssentials

/// One open connection of an event stream, for one reader. Releasing it closes the connection.
final class EventConnection {
    /// The response without its body.
    let head: HTTPResponse<Void>
    // Not checked for overlapping accesses, because the check costs time for each event, and no access calls code outside the parser.
    @exclusivity(unchecked) private(set) var parser: EventStreamParser
    private var chunks: HTTPBody.AsyncIterator
    /// Closes the connection from any thread, and does not keep it open.
    let interruption: @Sendable () -> Void
    private let stream: BodyStream?

    /// The maximum number of bytes, and the maximum time, for reading the rest of a stream so that its connection can be reused.
    private static let restBytes = 64 * 1024
    private static let patience = Duration.seconds(1)

    init(_ response: HTTPResponse<HTTPBody>, lastEventID: String, _ options: EventOptions, keepsComments: Bool) {
        head = response.map { _ in }
        parser = EventStreamParser(
            lastEventID: lastEventID, keepsComments: keepsComments, maxLineBytes: options.maxLineBytes,
            maxEventBytes: options.maxEventBytes)
        chunks = response.body.makeAsyncIterator()
        interruption = response.body.interruption
        stream = if case .stream(let stream) = response.body.storage { stream } else { nil }
    }

    /// Returns the next event or comment if it has arrived already. Returns nil also for a broken stream; ``next(telling:)`` then fails.
    func arrived() -> EventStreamParser.Item? { (try? parser.next()) ?? nil }

    /// Returns the next event or comment, or nil at the end of the stream.
    func next(telling control: EventControl?) async -> Result<EventStreamParser.Item?, HTTPError> {
        do throws(HTTPError) {
            while true {
                if let item = try parser.next() { return .success(item) }
                // An id without data updates the last event id, although the next event may be far away.
                control?.setLastEventID(parser.lastEventID)
                guard let chunk = try await chunks.next() else { return .success(nil) }
                parser.push(chunk)
            }
        } catch {
            return .failure(error.completed(ifKnown: head.metadata.request, stage: .body))
        }
    }

    /// Reads the rest of the stream if it is short, so that its connection can be reused. After an end marker, only the end follows.
    func finish(time: any TimeSource) {
        guard let stream else { return }
        let timer = time.timer(at: time.instant + EventConnection.patience, fire: interruption)
        Task {
            var count = 0
            while count < EventConnection.restBytes, let chunk = try? await stream.next() { count += chunk.count }
            timer.cancel()
        }
    }
}

/// Checks whether a response is an event stream.
enum EventStreamCheck {
    private static let mediaType = "text/event-stream"
    /// The maximum number of bytes of another body that the error contains.
    private static let keptBytes = 64 * 1024

    /// Throws `.decodingFailed`, with the start of the body, if the content type is not `text/event-stream` (WHATWG HTML §9.2.3).
    static func check(_ response: HTTPResponse<HTTPBody>, time: any TimeSource) async throws(HTTPError) {
        let type = response.headers.values(for: .contentType).last
        if let type, MediaType(type)?.essence == mediaType { return }
        let start = await response.body.startForError(upTo: keptBytes, time: time)
        if Task.isCancelled { throw .cancelled }
        let reason = type.map { "the content type is “\(Redaction.line($0, limit: 80))”" } ?? "there is no content type"
        throw .decodingFailed(
            DecodingFailure(
                type: mediaType, reason: reason, response: response.map { _ in start },
                context: ErrorContext(request: response.metadata.request, stage: .validation)))
    }
}
