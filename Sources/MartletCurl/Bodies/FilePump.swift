internal import MartletHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Supplies libcurl with a file's bytes: reads ahead on the file's lane, and returns bytes from memory on the engine's thread.
///
/// A file system that hangs delays only its own request.
final class FilePump: Sendable {
    /// The number of chunks of 64 KiB that are read ahead.
    private static let maxChunks = 4

    fileprivate struct State {
        var chunks: [Data] = []
        /// The number of bytes of the first chunk that libcurl has read.
        var offset = 0
        /// The result at the end of the file; nil while more bytes may follow.
        var end: Result<Void, HTTPError>?
        /// Whether the lane is reading, or a read is queued.
        var isReading = false
        /// Whether the lane must restart at the first byte.
        var mustRewind = false
        /// Whether libcurl found no bytes and waits for a wake-up.
        var isStalled = false
        var isClosed = false
        var wake: (@Sendable () -> Void)?

        /// Returns the closure that wakes libcurl, if it is waiting.
        mutating func unstall() -> (@Sendable () -> Void)? {
            defer { isStalled = false }
            return isStalled ? wake : nil
        }

        /// Returns whether a read must be queued on the lane, and marks it as queued.
        mutating func mustRead() -> Bool {
            guard !isReading, !isClosed, mustRewind || end == nil && chunks.count <= FilePump.maxChunks / 2 else { return false }
            isReading = true
            return true
        }
    }

    private enum Step { case rewind, read, stop }

    private let file: FileOnLane
    private let state = Locked(State())

    init(_ file: FileBody, lanes: FileLanes = .shared) { self.file = FileOnLane(file, lanes: lanes) }

    // MARK: The engine's side

    /// Opens the file and calls `ready` on the lane with the result. If libcurl finds no bytes, `wake` is called when bytes or the end are
    /// available.
    func open(wake: @escaping @Sendable () -> Void, ready: @escaping @Sendable (HTTPError?) -> Void) {
        state.withLock { state in
            state.wake = wake
            state.isReading = true
        }
        file.use { reader in
            switch reader {
            case .failure(let error): ready(error)
            case .success(let reader):
                ready(nil)
                self.fill(from: reader)
            }
        }
    }

    /// Copies bytes that were read ahead into a buffer.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> UploadSource.Outcome {
        let (outcome, mustRead) = state.withLock { state in (state.take(into: buffer), state.mustRead()) }
        if mustRead { readAhead() }
        return outcome
    }

    /// Restarts at the first byte.
    func rewind() {
        let mustRead = state.withLock { state in
            (state.chunks, state.offset, state.end) = ([], 0, nil)
            state.mustRewind = true
            return state.mustRead()
        }
        if mustRead { readAhead() }
    }

    /// Stops reading and closes the file. A call that hangs continues on the lane.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.wake = nil
            state.chunks = []
        }
        file.close()
    }

    // MARK: On the lane

    private func readAhead() {
        file.use { reader in
            switch reader {
            case .failure(let error): self.fail(error)
            case .success(let reader): self.fill(from: reader)
            }
        }
    }

    /// Ends a read that was refused, also after a rewind: no other is queued.
    private func fail(_ error: HTTPError) {
        let wake = state.withLock { state -> (@Sendable () -> Void)? in
            (state.isReading, state.mustRewind, state.end) = (false, false, .failure(error))
            return state.unstall()
        }
        wake?()
    }

    /// Reads until there is enough, or nothing more; in turn with other files, however fast libcurl is.
    private func fill(from reader: FileReader) {
        for _ in 0...FilePump.maxChunks {
            switch nextStep() {
            case .stop: return
            case .rewind: if !reader.rewind() { note(.failure(.invalidRequest("the body's file can't be read from its start again"))) }
            case .read:
                do throws(HTTPError) { note(.success(try reader.read(upTo: FileReader.chunkSize))) } catch { note(.failure(error)) }
                file.noteTurn()
            }
        }
        readAhead()
    }

    private func nextStep() -> Step {
        state.withLock { state in
            if !state.isClosed, state.mustRewind {
                state.mustRewind = false
                return .rewind
            }
            guard !state.isClosed, state.end == nil, state.chunks.count < FilePump.maxChunks else {
                state.isReading = false
                return .stop
            }
            return .read
        }
    }

    /// Stores the result of a read, unless libcurl has rewound meanwhile.
    private func note(_ chunk: Result<Data?, HTTPError>) {
        let wake = state.withLock { state -> (@Sendable () -> Void)? in
            guard !state.mustRewind, !state.isClosed else { return nil }
            switch chunk {
            case .success(let bytes?): state.chunks.append(bytes)
            case .success(nil): state.end = .success(())
            case .failure(let error): state.end = .failure(error)
            }
            return state.unstall()
        }
        wake?()
    }
}

extension FilePump.State {
    fileprivate mutating func take(into buffer: UnsafeMutableRawBufferPointer) -> UploadSource.Outcome {
        guard let chunk = chunks.first else {
            switch end {
            case .success: return .bytes(0)
            case .failure(let error): return .failed(error)
            case nil:
                isStalled = true
                return .stalled
            }
        }
        let count = min(buffer.count, chunk.count - offset)
        let start = chunk.startIndex + offset
        chunk.copyBytes(to: buffer.bindMemory(to: UInt8.self), from: start..<start + count)
        offset += count
        if offset == chunk.count {
            chunks.removeFirst()
            offset = 0
        }
        return .bytes(count)
    }
}
