internal import MartletCache
internal import MartletSystem

/// A file lock (`flock`) that shows that the writer of a body is alive. It ends with the writer, or with the writer's process.
final class WriterClaim: Sendable {
    private let path: String
    private let descriptor: Int32
    private let process = getpid()

    /// The number of attempts to lock a claim, a millisecond apart. Another process that examines the claim may be suspended meanwhile.
    private static let maxAttempts = 500

    /// Creates the claim's file and locks it.
    init(at path: String) throws(CacheStoreError) {
        var attempt = 0
        while true {
            attempt += 1
            let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else { throw StoreFile.failure("\(path) can't be created") }
            let isLocked = flock(descriptor, LOCK_EX | LOCK_NB) == 0
            let mayRetry = isLocked || errno == EWOULDBLOCK || errno == EINTR
            let error = StoreFile.failure("\(path) can't be locked")
            if isLocked, WriterClaim.isFile(descriptor, at: path) {
                self.path = path
                self.descriptor = descriptor
                return
            }
            close(descriptor)
            guard mayRetry, attempt < WriterClaim.maxAttempts else { throw error }
            usleep(1000)
        }
    }

    deinit {
        // In a forked child the claim belongs to the parent. Another file at the path is the claim of another writer.
        if getpid() == process, WriterClaim.isFile(descriptor, at: path) { unlink(path) }
        close(descriptor)
    }

    /// Returns whether no writer holds the claim, and removes its file in that case. A claim that cannot be examined counts as held.
    static func isAbandoned(at path: String) -> Bool {
        for _ in 0..<maxAttempts {
            let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
            guard descriptor >= 0 else { return errno == ENOENT }
            defer { close(descriptor) }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return false }
            guard isFile(descriptor, at: path) else { continue }
            unlink(path)
            return true
        }
        return false
    }

    /// Whether an open file is the one at the path. Another process may remove it between opening and locking.
    private static func isFile(_ descriptor: Int32, at path: String) -> Bool {
        var open = stat(), found = stat()
        guard fstat(descriptor, &open) == 0, lstat(path, &found) == 0 else { return false }
        return open.st_dev == found.st_dev && open.st_ino == found.st_ino
    }
}

extension StoreFile {
    /// The text between the store's file name and the rest of a claim's file name.
    static let claimMark = "-writer-"

    /// Returns the path of the claim on a body. The name includes the file's identity, because a replaced file numbers its bodies from the
    /// start.
    func claimPath(of body: Int64, in identity: Identity) -> String { "\(path)\(StoreFile.claimMark)\(identity.number)-\(body)" }
}
