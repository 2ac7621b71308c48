internal import MartletEssentials
internal import MartletSystem

/// What is kept of a body that passes by.
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

    /// Counts bytes that are not kept.
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

    /// Whether it ended before all had passed.
    var isStopped: Bool { state.withLock { $0.isStopped } }

    /// What has passed so far.
    var body: RecordedExchange.Body {
        state.withLock { state in
            if state.count > limit { return .missing(size: state.isEnded && !state.isStopped ? state.count : nil) }
            return state.isEnded && !state.isStopped ? .bytes(state.data) : .start(state.data)
        }
    }
}

/// Hands on the chunks of a body and keeps a copy of them.
final class RecordingReader: HTTPBodyReader {
    private let source: any HTTPBodyReader
    private let capture: BodyCapture
    private let isRequest: Bool
    private let ended: @Sendable (BodyCapture, HTTPError?) -> Void
    private let atEnd: @Sendable () async throws(HTTPError) -> Void

    /// - Parameters:
    ///   - isRequest: whether an error of `source` is one of whoever makes what is sent.
    ///   - ended: called once, when the body has ended, has failed, or its reader has stopped.
    ///   - atEnd: called after it, before the reader is told that there is nothing more.
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
