internal import MartletCache
internal import MartletEssentials
internal import MartletSystem

/// Reads a body chunk by chunk on demand.
final class ChunkReader: HTTPBodyReader {
    private struct Progress {
        var place: Int64 = 0
        var given: Int64 = 0
        var reason: HTTPError?
    }

    private let hold: BodyPin
    private let length: Int64
    private let progress = Locked(Progress())

    init(_ hold: BodyPin, length: Int64) {
        self.hold = hold
        self.length = length
    }

    func next() async throws(HTTPError) -> Data? {
        let (place, given) = try current()
        guard given < length else { return nil }
        let chunk: Data
        do { chunk = try await hold.core.chunk(place, of: hold) } catch {
            _ = try current()
            throw ChunkReader.error(error)
        }
        _ = try current()
        guard !chunk.isEmpty, given + Int64(chunk.count) <= length else { throw ChunkReader.error(.damaged("a stored body")) }
        progress.withLock { progress in
            progress.place += 1
            progress.given += Int64(chunk.count)
        }
        return chunk
    }

    /// Skips whole chunks without reading them. All chunks except the last have the length of the first.
    func skip(_ count: Int64) async throws(HTTPError) -> Int64 {
        let (place, given) = try current()
        guard place == 0, given == 0, count < length else { return 0 }
        let size: Int64
        do { size = try await hold.core.chunkSize(of: hold) } catch { throw ChunkReader.error(error) }
        guard size > 0 else { return 0 }
        progress.withLock { progress in
            progress.place = count / size
            progress.given = count / size * size
        }
        return count / size * size
    }

    private func current() throws(HTTPError) -> (place: Int64, given: Int64) {
        let progress = progress.withLock { $0 }
        if let reason = progress.reason { throw reason }
        return (progress.place, progress.given)
    }

    func cancel(_ reason: HTTPError) { progress.withLock { $0.reason = $0.reason ?? reason } }

    private static func error(_ error: CacheStoreError) -> HTTPError {
        let context = ErrorContext(stage: .body, underlying: error)
        return error.kind == .cancelled ? .cancelled(context) : .networkError(NetworkFailure(.other, error.description, context: context))
    }
}
