package import MartletEssentials
internal import MartletSystem

/// The only owner of a reader: returns its chunks once, in order, keeps peeked chunks, and cancels the reader when dropped.
package final class BodyStream: Sendable {
    private let reader: any HTTPBodyReader
    private let state = Locked(State())

    private struct State {
        /// Chunks that `peek` has read and the consumer has not.
        var peeked: ArraySlice<Data> = []
        /// The result of reading once it has ended: an error, or nil for the complete body.
        var end: HTTPError??
        var isTaken = false
        var isReading = false

        mutating func beginReading() -> Readiness {
            if isReading { return .busy }
            if let end { return .ended(end) }
            isReading = true
            return .ready
        }
    }

    init(_ reader: any HTTPBodyReader) { self.reader = reader }

    deinit {
        if state.withLock({ $0.end == nil }) { reader.cancel(.cancelled) }
    }

    /// Releases the reader behind this stream, for a wrapper. It returns peeked chunks first. The stream then neither cancels it nor
    /// returns bytes.
    ///
    /// If another task is reading the body or peeking at it, the stream keeps its reader, and the returned reader throws
    /// `.bodyNotReplayable`.
    package func releaseReader() -> any HTTPBodyReader {
        let released = state.withLock { state -> (ArraySlice<Data>, HTTPError??)? in
            if state.isReading { return nil }
            defer {
                state.isTaken = true
                state.peeked = []
                state.end = .bodyNotReplayable("the body has been handed on")
            }
            return (state.peeked, state.end)
        }
        guard let (peeked, end) = released else {
            return ClosureBodyReader { throw HTTPError.bodyNotReplayable("the body is being read by another task") }
        }
        return peeked.isEmpty && end == nil ? reader : PeekedReader(peeked, end, reader)
    }

    /// Stops the transfer. A waiting read and later ones throw the reason.
    func cancel(_ reason: HTTPError) { reader.cancel(reason) }

    /// Claims the chunks for one consumer. Returns false if they are already claimed.
    func take() -> Bool {
        state.withLock { !exchange(&$0.isTaken, with: true) }
    }

    /// Returns the consumer's next chunk, or nil at the end.
    package func next() async throws(HTTPError) -> Data? {
        let peeked = state.withLock { $0.peeked.popFirst() }
        if let peeked { return peeked }
        return try await read(keeping: false)
    }

    /// Returns the first bytes, at most `count`. They can still be read.
    func peek(upTo count: Int) async throws(HTTPError) -> Data {
        var prefix = state.withLock { $0.peeked.reduce(into: Data()) { $0.append($1) } }
        while prefix.count < count, let chunk = try await read(keeping: true) { prefix.append(chunk) }
        return Data(prefix.prefix(count))
    }

    /// Reads one chunk. If the caller only peeks, keeps it for the consumer.
    private func read(keeping: Bool) async throws(HTTPError) -> Data? {
        switch state.withLock({ $0.beginReading() }) {
        case .ended(let failure):
            // The failure is thrown each time: a peek may have met it first, and the consumer must not take nil for the end.
            if let failure { throw failure }
            return nil
        case .busy: throw .bodyNotReplayable("the body is being read by another task")
        case .ready: break
        }
        let outcome: Result<Data?, HTTPError>
        do { outcome = .success(try await reader.next()) } catch { outcome = .failure(error) }
        state.withLock { state in
            state.isReading = false
            switch outcome {
            case .success(let chunk?): if keeping { state.peeked.append(chunk) }
            case .success(nil): state.end = .some(nil)
            case .failure(let error): state.end = error
            }
        }
        return try outcome.get()
    }

    private enum Readiness: Sendable {
        case ready, busy
        case ended(HTTPError?)
    }
}

extension HTTPBody {
    /// A closure that cancels the reading of the body from any thread and at any time.
    package var interruption: @Sendable () -> Void {
        guard case .stream(let stream) = storage else { return {} }
        // Weakly: the code that may cancel the body must not keep it open.
        return { [weak stream] in stream?.cancel(.cancelled) }
    }
}

/// A reader that returns chunks that were already read, and then those of another reader.
final class PeekedReader: HTTPBodyReader {
    private let reader: any HTTPBodyReader
    /// The result of reading if it has ended: an error, or nil for the complete body.
    private let end: HTTPError??
    private let state: Locked<(peeked: ArraySlice<Data>, reason: HTTPError?)>

    init(_ peeked: ArraySlice<Data>, _ end: HTTPError??, _ reader: any HTTPBodyReader) {
        self.reader = reader
        self.end = end
        state = Locked((peeked, nil))
    }

    func next() async throws(HTTPError) -> Data? {
        let (chunk, reason) = state.withLock { state in (state.reason == nil ? state.peeked.popFirst() : nil, state.reason) }
        if let chunk { return chunk }
        if let reason { throw reason }
        guard let end else { return try await reader.next() }
        if let end { throw end }
        return nil
    }

    func cancel(_ reason: HTTPError) {
        state.withLock { $0 = ([], $0.reason ?? reason) }
        reader.cancel(reason)
    }
}
