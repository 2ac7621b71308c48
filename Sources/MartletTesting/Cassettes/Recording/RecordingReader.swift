internal import MartletEssentials
internal import MartletSystem

/// Captures the bytes of a body while they are passed on.
final class BodyCapture: Sendable {
    private struct State {
        var data = Data()
        var count = 0
        var isEnded = false
        var isStopped = false
    }

    private let limit: Int
    private let state = Locked(State())

    init(limit: Int) { self.limit = limit }

    func append(_ chunk: Data) {
        state.withLock { state in
            state.count += chunk.count
            if state.count > limit { state.data = Data() } else { state.data.append(chunk) }
        }
    }

    /// Counts bytes that are not captured.
    func skip(_ count: Int) { state.withLock { $0.count += count } }

    /// Ends the capture: all bytes have passed, or the reader stopped before. Returns false if it has ended already.
    @discardableResult
    func end(isStopped: Bool) -> Bool {
        state.withLock { state in
            if state.isEnded { return false }
            state.isEnded = true
            state.isStopped = isStopped
            return true
        }
    }

    /// Whether the capture ended before all bytes had passed.
    var isStopped: Bool { state.withLock { $0.isStopped } }

    /// The captured body so far.
    var body: RecordedExchange.Body {
        state.withLock { state in
            if state.count > limit { return .missing(size: state.isEnded && !state.isStopped ? state.count : nil) }
            return state.isEnded && !state.isStopped ? .bytes(state.data) : .start(state.data)
        }
    }
}

/// Passes on the chunks of a body and captures a copy of them.
final class RecordingReader: HTTPBodyReader {
    private let source: any HTTPBodyReader
    private let capture: BodyCapture
    private let isRequest: Bool
    private let ended: @Sendable (BodyCapture, HTTPError?) -> Void
    private let atEnd: @Sendable () async throws(HTTPError) -> Void

    /// - Parameters:
    ///   - isRequest: Whether an error of `source` comes from code that creates a request body.
    ///   - ended: Called once, when the body has ended or failed, or its reader has stopped.
    ///   - atEnd: Called after `ended`, before the reader learns of the end.
    init(
        _ source: any HTTPBodyReader, _ capture: BodyCapture, isRequest: Bool = false,
        ended: @escaping @Sendable (BodyCapture, HTTPError?) -> Void = { _, _ in },
        atEnd: @escaping @Sendable () async throws(HTTPError) -> Void = { () async throws(HTTPError) in }
    ) {
        self.source = source
        self.capture = capture
        self.isRequest = isRequest
        self.ended = ended
        self.atEnd = atEnd
    }

    func next() async throws(HTTPError) -> Data? {
        let chunk: Data?
        do { chunk = try await source.next() } catch {
            let failure = isRequest ? error.ofSentStream : error
            if capture.end(isStopped: true) { ended(capture, failure) }
            try? await atEnd()
            throw failure
        }
        if let chunk {
            capture.append(chunk)
            return chunk
        }
        if capture.end(isStopped: false) { ended(capture, nil) }
        try await atEnd()
        return nil
    }

    func cancel(_ reason: HTTPError) {
        source.cancel(reason)
        if capture.end(isStopped: true) { ended(capture, nil) }
    }
}
