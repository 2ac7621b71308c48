package import MartletEssentials
internal import MartletSystem

/// The one owner of a reader: hands its chunks out once, in order, keeps what was peeked at, and cancels it when it is dropped.
package final class BodyStream: Sendable {
    private let reader: any HTTPBodyReader
    private let state = Locked(State())

    private struct State {
        /// Read by `peek`, not yet handed out.
        var peeked: ArraySlice<Data> = []
        /// How reading ended: nil in it when all was read.
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

    /// The reader behind this stream, for whoever wraps it, with what was peeked at before it. The stream no longer cancels it and gives
    /// nothing.
    ///
    /// While another task reads the body, or peeks at it, the stream keeps the reader, and the one that is returned throws
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

    /// Stops the transfer: a waiting or later read throws the reason.
    package func cancel(_ reason: HTTPError) { reader.cancel(reason) }

    /// Claims the chunks for one consumer; false when somebody has them already.
    package func take() -> Bool {
        state.withLock { !exchange(&$0.isTaken, with: true) }
    }

    /// The next chunk of the one consumer.
    package func next() async throws(HTTPError) -> Data? {
        let peeked = state.withLock { $0.peeked.popFirst() }
        if let peeked { return peeked }
        return try await read(keeping: false)
    }

    /// The first bytes, up to `count`, which stay to be read.
    func peek(upTo count: Int) async throws(HTTPError) -> Data {
        var prefix = state.withLock { $0.peeked.reduce(into: Data()) { $0.append($1) } }
        while prefix.count < count, let chunk = try await read(keeping: true) { prefix.append(chunk) }
        return Data(prefix.prefix(count))
    }

    /// Reads one chunk, and keeps it for the consumer too when it is only peeked at.
    private func read(keeping: Bool) async throws(HTTPError) -> Data? {
        switch state.withLock({ $0.beginReading() }) {
        case .ended(let failure):
            // The failure each time: a peek may have met it first, and the consumer must not take it for the end.
            if let failure { throw failure }
            return nil
        case .busy: throw .bodyNotReplayable("the body is being read by somebody else at this moment")
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
    /// What interrupts the reading of the body, from anywhere and at any time.
    package var interruption: @Sendable () -> Void {
        guard case .stream(let stream) = storage else { return {} }
        // Weakly: whoever may interrupt it must not keep it open.
        return { [weak stream] in stream?.cancel(.cancelled) }
    }
}
