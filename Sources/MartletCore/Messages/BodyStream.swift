#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The one owner of a reader: hands its chunks out once, in order, keeps what was peeked at, and cancels it when it is dropped.
package final class BodyStream: Sendable {
    private let reader: any HTTPBodyReader
    private let state = Locked(State())

    private struct State {
        /// Read by `peek`, not yet handed out.
        var peeked: [Data] = []
        var hasEnded = false
        var isTaken = false
        var isReading = false
    }

    init(_ reader: any HTTPBodyReader) { self.reader = reader }

    deinit {
        if !state.withLock({ $0.hasEnded }) { reader.cancel(.cancelled) }
    }

    /// The reader behind this stream, for the client to wrap before anybody has read. The stream no longer cancels it.
    package func releaseReader() -> any HTTPBodyReader {
        state.withLock { $0.hasEnded = true }
        return reader
    }

    /// Claims the chunks for one consumer; false when somebody has them already.
    func take() -> Bool {
        state.withLock { state in
            defer { state.isTaken = true }
            return !state.isTaken
        }
    }

    /// The next chunk of the one consumer.
    func next() async throws(HTTPError) -> Data? {
        let peeked = state.withLock { $0.peeked.isEmpty ? nil : $0.peeked.removeFirst() }
        if let peeked { return peeked }
        return try await read()
    }

    /// The first bytes, up to `count`, which stay to be read.
    func peek(upTo count: Int) async throws(HTTPError) -> Data {
        var prefix = state.withLock { $0.peeked.reduce(into: Data()) { $0.append($1) } }
        while prefix.count < count, let chunk = try await read() {
            state.withLock { $0.peeked.append(chunk) }
            prefix.append(chunk)
        }
        return Data(prefix.prefix(count))
    }

    private func read() async throws(HTTPError) -> Data? {
        let mayRead = state.withLock { state in
            if state.isReading { return Readiness.busy }
            if state.hasEnded { return .ended }
            state.isReading = true
            return .ready
        }
        switch mayRead {
        case .ended: return nil
        case .busy: throw .bodyNotReplayable(Explanation("the body is being read by somebody else at this moment"))
        case .ready: break
        }
        let outcome: Result<Data?, HTTPError>
        do { outcome = .success(try await reader.next()) } catch { outcome = .failure(error) }
        state.withLock { state in
            state.isReading = false
            if case .success(.some) = outcome { return }
            state.hasEnded = true
        }
        return try outcome.get()
    }

    private enum Readiness { case ready, busy, ended }
}
