internal import MartletEssentials
package import MartletHTTP
internal import MartletSystem

/// Supplies the engine with a file's bytes: reads ahead on the file's lane, and returns bytes from memory on the engine's thread.
///
/// A file system that hangs delays only its own request.
package final class FilePump: Sendable {
    /// The number of chunks of 64 KiB that are read ahead.
    private static let maxChunks = 4

    private struct State {
        var buffer = UploadBuffer()
        /// Whether the lane is reading, or a read is queued.
        var isReading = false
        /// Whether the lane must restart at the first byte.
        var mustRewind = false

        /// Returns whether a read must be queued on the lane, and marks it as queued.
        mutating func mustRead() -> Bool {
            guard !isReading, !buffer.isClosed, mustRewind || buffer.end == nil && buffer.count <= FilePump.maxChunks / 2 else {
                return false
            }
            isReading = true
            return true
        }
    }

    private enum Step { case rewind, read, stop }

    private let file: LaneFile
    private let state = Locked(State())

    package init(_ file: FileBody, lanes: FileLanes = .shared) { self.file = LaneFile(file, lanes: lanes) }

    // MARK: The engine's side

    /// Opens the file and calls `ready` on the lane with the result. If the engine finds no bytes, `wake` is called when bytes or the end
    /// are available.
    package func open(wake: @escaping @Sendable () -> Void, ready: @escaping @Sendable (HTTPError?) -> Void) {
        state.withLock { state in
            state.buffer.setWake(wake)
            state.isReading = true
        }
        readAhead(ready)
    }

    /// Copies bytes that were read ahead into a buffer.
    package func read(into buffer: UnsafeMutableRawBufferPointer) -> UploadSource.Outcome {
        let (outcome, mustRead) = state.withLock { state in (state.buffer.read(into: buffer), state.mustRead()) }
        if mustRead { readAhead() }
        return outcome
    }

    /// Restarts at the first byte.
    package func rewind() {
        let mustRead = state.withLock { state in
            state.buffer.rewind()
            state.mustRewind = true
            return state.mustRead()
        }
        if mustRead { readAhead() }
    }

    /// Stops reading and closes the file. A call that hangs continues on the lane.
    package func close() {
        state.withLock { $0.buffer.close() }
        file.close()
    }

    // MARK: On the lane

    /// Queues a read. The first one calls `ready` with the result of opening the file.
    private func readAhead(_ ready: (@Sendable (HTTPError?) -> Void)? = nil) {
        file.use { reader in
            switch reader {
            case .failure(let error): if let ready { ready(error) } else { self.fail(error) }
            case .success(let reader):
                ready?(nil)
                self.fill(from: reader)
            }
        }
    }

    /// Ends the body with an error if its file could not be opened. Also applies after a rewind, because no other read is queued.
    private func fail(_ error: HTTPError) {
        let wake = state.withLock { state in
            (state.isReading, state.mustRewind) = (false, false)
            return state.buffer.finish(.failure(error))
        }
        wake?()
    }

    /// Reads until enough is read ahead or the file ends. Yields the lane to other files after a few chunks.
    private func fill(from reader: FileReader) {
        for _ in 0...FilePump.maxChunks {
            switch nextStep() {
            case .stop: return
            case .rewind: if !reader.rewind() { note(.failure(.invalidRequest("the body's file can't be read again from its start"))) }
            case .read:
                do throws(HTTPError) { note(.success(try reader.read(upTo: FileReader.chunkSize))) } catch { note(.failure(error)) }
                file.noteTurn()
            }
        }
        readAhead()
    }

    private func nextStep() -> Step {
        state.withLock { state in
            if !state.buffer.isClosed, state.mustRewind {
                state.mustRewind = false
                return .rewind
            }
            guard !state.buffer.isClosed, state.buffer.end == nil, state.buffer.count < FilePump.maxChunks else {
                state.isReading = false
                return .stop
            }
            return .read
        }
    }

    /// Stores the result of a read, unless the engine has rewound in the meantime.
    private func note(_ chunk: Result<Data?, HTTPError>) {
        let wake = state.withLock { state -> UploadBuffer.Wake? in
            guard !state.mustRewind, !state.buffer.isClosed else { return nil }
            switch chunk {
            case .success(let bytes?): return state.buffer.append(bytes)
            case .success(nil): return state.buffer.finish(.success(()))
            case .failure(let error): return state.buffer.finish(.failure(error))
            }
        }
        wake?()
    }
}
