internal import MartletEssentials
internal import MartletSystem

/// The files of one download: the part file, its record and the target.
///
/// Each operation runs on the process's ``FileLanes``, because it may block as long as the file system does. The operations of a download
/// run in order and occupy at most one lane. A caller that is cancelled does not wait for the operation that runs.
final class DownloadFiles: Sendable {
    let place: DownloadDestination
    private let lanes: FileLanes
    private let calls: FileCalls
    private let jobs: Lane
    /// The open part file, and whether the download has ended. Only jobs read and write them.
    private let part = Locked<(file: PartFile?, isClosed: Bool)>((nil, false))

    /// How long the end of a failed download waits for the file system.
    private static let patience = Duration.seconds(1)

    init(_ place: DownloadDestination, lanes: FileLanes = .shared, calls: FileCalls = FileCalls()) {
        self.place = place
        self.lanes = lanes
        self.calls = calls
        jobs = lanes.makeLane()
    }

    private var record: DownloadRecord { DownloadRecord(path: place.recordPath, calls: calls) }

    /// Runs work that may block on a lane.
    private func run<Value: Sendable>(_ work: @escaping @Sendable () throws(HTTPError) -> Value) async throws(HTTPError) -> Value {
        if lanes.refusal != nil {
            throw .fileFailed(
                FileFailure(.other, path: place.partPath, "too many files have not responded for \(FileLanes.patience.shortText)"))
        }
        return try await jobs.run(cancelled: HTTPError.cancelled, work)
    }

    /// Runs work with the open part file on a lane.
    private func use<Value: Sendable>(
        _ work: @escaping @Sendable (PartFile) throws(HTTPError) -> Value
    ) async throws(HTTPError) -> Value {
        try await run { [part, place] () throws(HTTPError) in
            guard let file = part.withLock({ $0.file }) else {
                throw .fileFailed(FileFailure(.other, path: place.partPath, "it is not open"))
            }
            return try work(file)
        }
    }

    // MARK: Operations

    /// Opens the part file and returns the state that an earlier call left, or a new one.
    ///
    /// - Parameters:
    ///   - key: The key of the request.
    ///   - resumes: Whether the state of an earlier call is used.
    ///   - existing: What happens to a file in the target's place.
    func open(key: String, resumes: Bool, existing: DownloadOptions.ExistingFile) async throws(HTTPError) -> PartialDownload {
        try await run { [part, place, record, calls] () throws(HTTPError) in
            if let path = place.knownPath { try DownloadFiles.checkTarget(path, existing) }
            let file = try PartFile.open(place.partPath, replacing: place.knownPath, calls: calls)
            let isWanted = part.withLock { part in
                if !part.isClosed { part.file = file }
                return !part.isClosed
            }
            guard isWanted else { throw .cancelled }
            if resumes, let kept = record.read(), let partial = PartialDownload(kept: kept, key: key, bytes: try file.size()) {
                return partial
            }
            try file.empty()
            return PartialDownload(key: key)
        }
    }

    /// Removes all bytes, and replaces the record by one for the bytes that follow, or removes it.
    func restart(record kept: Data? = nil) async throws(HTTPError) {
        try await use { [record] file throws(HTTPError) in
            try file.empty()
            if let kept { try record.write(kept) } else { record.remove() }
        }
    }

    /// Writes bytes at an offset.
    func write(_ bytes: Data, at offset: Int64) async throws(HTTPError) {
        try await use { file throws(HTTPError) in try file.write(bytes, at: offset) }
    }

    /// Returns the digest of some of the file's bytes.
    func digest(_ algorithm: ContentDigest.Algorithm, of range: Range<Int64>) async throws(HTTPError) -> Data {
        switch algorithm {
        case .sha256: try await digest(SHA256(expecting: range.count), of: range)
        case .sha512: try await digest(SHA512(expecting: range.count), of: range)
        }
    }

    private func digest<Word>(_ empty: SHA2<Word>, of range: Range<Int64>) async throws(HTTPError) -> Data {
        var hash = empty, place = range.lowerBound
        while place < range.upperBound {
            // A lane works on a small part at a time, because a digest is slow in a debug build and other files may wait.
            let start = place, end = min(range.upperBound, place + 256 * 1024), before = hash
            hash = try await use { file throws(HTTPError) in
                var hash = before
                try file.update(&hash, with: start..<end)
                return hash
            }
            place = end
        }
        return Data(hash.finish())
    }

    /// Moves the complete file to its place, and returns its final path. A cancellation that comes meanwhile may leave the complete file.
    ///
    /// - Parameter syncs: Whether the bytes and the name are on the disk then.
    func finish(named name: String, existing: DownloadOptions.ExistingFile, syncs: Bool) async throws(HTTPError) -> String {
        try await use { [part, place, record] file throws(HTTPError) in
            if syncs { try file.sync() }
            let path = try DownloadFiles.put(file, place.path(named: name), existing)
            if syncs { try file.syncFolder(of: path) }
            record.remove()
            part.withLock { $0 = (nil, true) }
            return path
        }
    }

    /// Closes the part file after a failure. Returns when that is done, or after a second if the file system does not respond.
    ///
    /// - Parameter keeps: Whether the bytes and the record remain for a later call. A part file without bytes never remains.
    func close(keeping keeps: Bool, time: any TimeSource) async {
        let done = OneShot<Void>()
        jobs.post { [part, record] in
            // The lock is held until the file is removed.
            let file = part.withLock { part in
                defer { part = (nil, true) }
                return part.file
            }
            if let file, !keeps || (try? file.size()) == 0 {
                record.remove()
                file.remove()
            }
            done.set(())
        }
        let timer = time.timer(at: time.instant + DownloadFiles.patience) { done.set(()) }
        await done.value()
        timer.cancel()
    }

    // MARK: The target

    private static func checkTarget(_ path: String, _ existing: DownloadOptions.ExistingFile) throws(HTTPError) {
        if DownloadDestination.isFolder(path) { throw .fileFailed(FileFailure(.invalidName, path: path, "it is a folder")) }
        if existing == .fail, DownloadDestination.exists(path) { throw alreadyExists(path) }
    }

    private static func alreadyExists(_ path: String) -> HTTPError {
        .fileFailed(FileFailure(.alreadyExists, path: path, "a file with that name exists"))
    }

    private static func put(_ file: PartFile, _ path: String, _ existing: DownloadOptions.ExistingFile) throws(HTTPError) -> String {
        if DownloadDestination.isFolder(path), existing != .keepBoth {
            throw .fileFailed(FileFailure(.invalidName, path: path, "it is a folder"))
        }
        if try file.move(to: path, replacing: existing == .replace) { return path }
        guard existing == .keepBoth else { throw alreadyExists(path) }
        for number in 2...9_999 {
            let other = DownloadDestination.numbered(path, number)
            if try file.move(to: other, replacing: false) { return other }
        }
        throw alreadyExists(path)
    }
}
