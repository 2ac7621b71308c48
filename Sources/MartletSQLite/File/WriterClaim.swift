internal import MartletCore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A lock that says that the writer of a body is alive. It ends with the writer, and with its process however that ends (`flock`).
final class WriterClaim: Sendable {
    private let path: String
    private let descriptor: Int32
    private let process = getpid()

    /// Creates the claim's file and locks it.
    init(at path: String) throws(CacheStoreError) {
        let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw StoreFile.failure("\(path) can't be made") }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let error = StoreFile.failure("\(path) can't be locked")
            close(descriptor)
            throw error
        }
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        // A forked child has a copy; the claim is the parent's.
        if getpid() == process { unlink(path) }
        close(descriptor)
    }

    /// Returns whether no writer holds the claim, and removes its file then. A claim that cannot be looked at counts as held.
    static func isAbandoned(at path: String) -> Bool {
        let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return errno == ENOENT }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return false }
        unlink(path)
        return true
    }
}

extension StoreFile {
    /// What the names of the claims' files begin with, after the name of the store's file.
    static let claimMark = "-writer-"

    /// The file of the claim on a body. Another file in this one's place begins to count bodies anew: its claims have other names.
    func claimPath(of body: Int64, in identity: Identity) -> String { "\(path)\(StoreFile.claimMark)\(identity.number)-\(body)" }
}
