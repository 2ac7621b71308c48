internal import MartletEssentials
internal import MartletSystem

/// The calls of a download that may block as long as the file system does. Tests replace them by calls that hang.
struct FileCalls: Sendable {
    var open: @Sendable (_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 = { systemOpen($0, $1, $2) }
    var write: @Sendable (_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ offset: off_t) -> Int = {
        pwrite($0, $1, $2, $3)
    }
    var sync: @Sendable (_ descriptor: Int32) -> Int32 = { descriptor in
        #if canImport(Darwin)
        // On Apple platforms, `fsync` stops at the drive's cache.
        if fcntl(descriptor, F_FULLFSYNC) == 0 { return 0 }
        #endif
        return fsync(descriptor)
    }
    var rename: @Sendable (_ path: String, _ target: String) -> Int32 = { MartletSystem.rename($0, $1) }
}

/// The file beside the target to which a download writes. It is open and locked, so that no other download writes to it.
///
/// Its functions block as long as the file system does: see ``DownloadFiles``.
final class PartFile: Sendable {
    let path: String
    private let descriptor: Int32
    private let calls: FileCalls

    private init(path: String, descriptor: Int32, calls: FileCalls) {
        self.path = path
        self.descriptor = descriptor
        self.calls = calls
    }

    // Closing the file releases the lock.
    deinit { close(descriptor) }

    /// Opens the file, and creates it if it is missing.
    ///
    /// Throws `.fileFailed` of the kind `.busy` if another download uses the file, and of the kind `.permissionDenied` if it is a link or
    /// belongs to another user, who could change its bytes. A file that is to replace another one is created with the permissions of that
    /// one.
    static func open(
        _ path: String, replacing target: String? = nil, calls: FileCalls = FileCalls()
    ) throws(HTTPError) -> PartFile {
        let mode = target.flatMap(mode) ?? 0o666
        // Its previous user may have moved the file to its place between the opening and the locking.
        for _ in 0..<16 {
            let descriptor = calls.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, mode)
            guard descriptor >= 0 else {
                guard errno != ELOOP else { throw foreign(path) }
                throw .fileFailed(FileFailure(code: errno, path: path, "it can't be opened"))
            }
            let file = PartFile(path: path, descriptor: descriptor, calls: calls)
            if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
                throw .fileFailed(FileFailure(.busy, path: path, "another download is writing it"))
            }
            var own = stat()
            guard fstat(descriptor, &own) == 0 else { throw file.failure("it can't be examined") }
            guard own.st_mode & S_IFMT == S_IFREG, own.st_uid == geteuid() else { throw foreign(path) }
            if own.st_nlink > 1 {
                // The file has a second name and must not be overwritten. Without this name, the next attempt creates a new file.
                unlink(path)
                continue
            }
            if file.isNamed { return file }
        }
        throw .fileFailed(FileFailure(.busy, path: path, "other processes keep moving it"))
    }

    private static func foreign(_ path: String) -> HTTPError {
        .fileFailed(FileFailure(.permissionDenied, path: path, "it is a link, or belongs to another user"))
    }

    /// Whether the path still leads to this file, and not to another one or none.
    private var isNamed: Bool {
        var own = stat(), named = stat()
        return fstat(descriptor, &own) == 0 && lstat(path, &named) == 0 && own.st_ino == named.st_ino && own.st_dev == named.st_dev
    }

    /// Returns the size of the file in bytes.
    func size() throws(HTTPError) -> Int64 {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("it can't be examined") }
        return Int64(status.st_size)
    }

    /// Removes all bytes.
    func empty() throws(HTTPError) { if ftruncate(descriptor, 0) != 0 { throw failure("it can't be emptied") } }

    /// Writes bytes at an offset.
    func write(_ bytes: Data, at offset: Int64) throws(HTTPError) {
        let code: Int32 = bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            var place = offset
            while !rest.isEmpty {
                let written = calls.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count, off_t(place))
                if written < 0, errno == EINTR { continue }
                // Zero bytes written without an error means a full disk on some file systems.
                guard written > 0 else { return written == 0 ? ENOSPC : errno }
                rest = rest.dropFirst(written)
                place += Int64(written)
            }
            return 0
        }
        if code != 0 { throw .fileFailed(FileFailure(code: code, path: path, "it can't be written")) }
    }

    /// Adds some of the file's bytes to a digest.
    func update<Word>(_ hash: inout SHA2<Word>, with range: Range<Int64>) throws(HTTPError) {
        var place = range.lowerBound
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while place < range.upperBound {
            let wanted = Int(min(Int64(buffer.count), range.upperBound - place))
            let count = buffer.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, wanted, off_t(place)) }
            if count < 0, errno == EINTR { continue }
            guard count != 0 else { throw .fileFailed(FileFailure(.other, path: path, "it became shorter while it was verified")) }
            guard count > 0 else { throw failure("it can't be read for verification") }
            buffer.withUnsafeBytes { hash.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            place += Int64(count)
        }
    }

    /// Waits until the bytes are on the disk.
    func sync() throws(HTTPError) { try sync(descriptor, path) }

    /// Waits until the names in a file's folder are on the disk.
    func syncFolder(of path: String) throws(HTTPError) {
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) + "/"
        let descriptor = calls.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        guard descriptor >= 0 else { throw .fileFailed(FileFailure(code: errno, path: folder, "it can't be opened")) }
        defer { close(descriptor) }
        try sync(descriptor, folder)
    }

    private func sync(_ descriptor: Int32, _ path: String) throws(HTTPError) {
        if calls.sync(descriptor) != 0 { throw .fileFailed(FileFailure(code: errno, path: path, "it can't be flushed to the disk")) }
    }

    /// Moves the file to its final name in one step. Returns false if a file with that name exists and must not be replaced.
    ///
    /// The file gets the permissions of the file that it replaces.
    func move(to target: String, replacing: Bool) throws(HTTPError) -> Bool {
        guard isNamed else { throw .fileFailed(FileFailure(.other, path: path, "another process has moved or replaced it")) }
        if replacing, let mode = PartFile.mode(of: target) { fchmod(descriptor, mode) }
        if replacing {
            guard calls.rename(path, target) == 0 else {
                throw .fileFailed(FileFailure(code: errno, path: target, "it can't be moved to its place"))
            }
            return true
        }
        switch moveWithoutReplacing(to: target) {
        case 0: return true
        case EEXIST: return false
        case let code: throw .fileFailed(FileFailure(code: code, path: target, "it can't be moved to its place"))
        }
    }

    /// Returns the permissions of a file, or nil if it does not exist.
    private static func mode(of path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? status.st_mode & 0o777 : nil
    }

    /// Removes the file.
    func remove() { unlink(path) }

    private func failure(_ what: String) -> HTTPError { .fileFailed(FileFailure(code: errno, path: path, what)) }
}

extension PartFile {
    /// Gives a file another name unless that name is taken. Returns 0 or the system's error.
    private func moveWithoutReplacing(to target: String) -> Int32 {
        if link(path, target) == 0 {
            // If the process ends here, the next download finds a part file with a second name, and creates a new one.
            unlink(path)
            return 0
        }
        guard errno == EPERM || errno == ENOTSUP || errno == EOPNOTSUPP || errno == ENOSYS else { return errno }
        // On a file system without hard links, an empty file claims the name, and is then replaced.
        let claim = calls.open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard claim >= 0 else { return errno }
        close(claim)
        return calls.rename(path, target) == 0 ? 0 : errno
    }
}

/// The small file beside a part file that describes its bytes.
struct DownloadRecord: Sendable {
    let path: String
    var calls = FileCalls()

    /// The maximum size of a record in bytes.
    private static let limit = 16 * 1024

    /// Returns the content, or nil if the file is missing, does not belong to this user, or can't be read.
    func read() -> Data? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(), status.st_size > 0,
            status.st_size <= off_t(DownloadRecord.limit), let body = try? HTTPBody(file: URL(fileURLWithPath: path)),
            case .file(let file) = body.storage
        else { return nil }
        return try? file.open().read(upTo: DownloadRecord.limit)
    }

    /// Replaces the content in one step.
    func write(_ bytes: Data) throws(HTTPError) {
        let draft = try PartFile.open(path + "~", calls: calls)
        try draft.empty()
        try draft.write(bytes, at: 0)
        _ = try draft.move(to: path, replacing: true)
    }

    /// Removes the file.
    func remove() { unlink(path) }
}
