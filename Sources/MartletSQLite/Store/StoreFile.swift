internal import MartletCache
internal import MartletEssentials
internal import MartletSystem

/// The file of a store, and the files beside it.
///
/// This type never opens the file itself: closing it would release SQLite's locks on it in this process.
struct StoreFile: Sendable {
    let path: String

    /// The identity of a file, independent of its name.
    struct Identity: Sendable, Equatable {
        let device: UInt64
        let number: UInt64
    }

    init(_ url: URL) throws(CacheStoreError) {
        guard url.isFileURL, !url.path.isEmpty, !url.path.utf8.contains(0) else {
            throw CacheStoreError(.unavailable, "the cache's URL is not a file URL: \(url.absoluteString)")
        }
        path = url.path
    }

    /// The identity of the file that now exists at the path.
    var identity: Identity? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        return Identity(device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(truncatingIfNeeded: status.st_ino))
    }

    /// Creates the folder if it is missing.
    func createFolder() throws(CacheStoreError) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch { throw CacheStoreError(.unavailable, "the folder \(folder.path) can't be created: \(error)", underlying: error) }
    }

    /// Creates an empty file that only its owner may read, unless there is one. The caller holds the lock of ``alone(waiting:_:)``.
    ///
    /// An existing file, or a file that SQLite keeps beside it, must belong to this user and must not be a symbolic link. Otherwise another
    /// user could read cached responses, or make this process write to a file of their choice.
    func create() throws(CacheStoreError) {
        var status = stat()
        if lstat(path, &status) == 0 {
            for ending in ["", "-wal", "-shm"] where lstat(path + ending, &status) == 0 {
                if let why = StoreFile.refusal(of: status) { throw CacheStoreError(.unavailable, "\(path)\(ending) \(why)") }
            }
            return
        }
        let descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StoreFile.failure("\(path) can't be created") }
        close(descriptor)
        // The remains of a removed file do not belong to the new one.
        for ending in ["-wal", "-shm"] where unlink(path + ending) != 0 && errno != ENOENT {
            let error = StoreFile.failure("\(path)\(ending) of a removed file can't be deleted")
            // Another process would combine the new file with these remains.
            unlink(path)
            throw error
        }
        removeClaims()
    }

    /// Returns why an existing file must not be used, or nil if it is acceptable.
    static func refusal(of status: stat, user: uid_t = geteuid()) -> String? {
        if status.st_mode & S_IFMT == S_IFLNK { return "is a symbolic link" }
        guard status.st_mode & S_IFMT == S_IFREG else { return "is not a file" }
        return status.st_uid == user ? nil : "belongs to another user"
    }

    /// Removes the writers' claims that belong to an earlier file at this path.
    private func removeClaims() {
        let url = URL(fileURLWithPath: path), folder = url.deletingLastPathComponent()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in names where name.hasPrefix(url.lastPathComponent + StoreFile.claimMark) { unlink(folder.path + "/" + name) }
    }

    /// Whether the system permits this user to write the file.
    var mayBeWritten: Bool { access(path, W_OK) == 0 }

    static func failure(_ what: String) -> CacheStoreError {
        let code = errno
        let isFull = code == ENOSPC || code == EDQUOT
        return CacheStoreError(isFull ? .full : .unavailable, "\(what): \(SystemFailure.words(code))")
    }

    // MARK: One at a time

    /// Runs `body` while no other store of any process opens the file or sets it aside.
    func alone<Value>(waiting limit: Duration, _ body: () throws(CacheStoreError) -> Value) throws(CacheStoreError) -> Value {
        let descriptor = open(path + "-lock", O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw StoreFile.failure("\(path)-lock can't be created") }
        // Closing also releases the lock.
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw StoreFile.failure("\(path)-lock can't be examined") }
        if let why = StoreFile.refusal(of: status) { throw CacheStoreError(.unavailable, "\(path)-lock \(why)") }
        let end = ContinuousClock.now + limit
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw StoreFile.failure("\(path)-lock can't be locked") }
            guard ContinuousClock.now < end else { throw CacheStoreError(.timeout, "another process took too long to open \(path)") }
            usleep(2000)
        }
        return try body()
    }

    // MARK: Setting aside

    /// Renames the file and its companions, and removes the oldest files set aside before. Returns the new name.
    func setAside(as word: String, at milliseconds: Int64, keeping count: Int) throws(CacheStoreError) -> URL {
        var number = milliseconds
        while access("\(path).\(word)-\(number)", F_OK) == 0 { number += 1 }
        let target = "\(path).\(word)-\(number)"
        guard rename(path, target) == 0 else { throw StoreFile.failure("\(path) can't be renamed to set it aside") }
        for ending in ["-wal", "-shm"] { rename(path + ending, target + ending) }
        removeOld(keeping: count)
        return URL(fileURLWithPath: target)
    }

    /// The reasons whose files may be removed later. A file that never was a cache is not removed.
    private static let removable = ["corrupt", "newer", "older"]

    private func removeOld(keeping count: Int) {
        let url = URL(fileURLWithPath: path), folder = url.deletingLastPathComponent()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let aside = names.compactMap { name -> (number: Int64, name: String)? in
            for word in StoreFile.removable {
                let prefix = "\(url.lastPathComponent).\(word)-"
                if name.hasPrefix(prefix), let number = Int64(name.dropFirst(prefix.count)) { return (number, name) }
            }
            return nil
        }
        for old in aside.sorted(by: { $0.number > $1.number }).dropFirst(max(0, count)) {
            let path = folder.path + "/" + old.name
            for ending in ["", "-wal", "-shm"] { unlink(path + ending) }
        }
    }
}
