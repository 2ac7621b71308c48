internal import MartletEssentials
internal import MartletSystem

/// The file that a download is written to, beside its target: open, and locked against others who would write it.
final class PartFile: Sendable {
    let path: String
    private let descriptor: Int32

    private init(path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    // Closing it lets go of the lock.
    deinit { close(descriptor) }

    /// Opens the file, and makes it if it is not there.
    ///
    /// Throws `.fileFailed`: of the kind `.busy` when somebody else has it, and `.permissionDenied` when it is a link or another user's,
    /// since its bytes would then be anybody's.
    ///
    /// One that is to replace a file is no more open to others than that is.
    static func open(_ path: String, replacing target: String? = nil) throws(HTTPError) -> PartFile {
        let mode = target.flatMap(mode) ?? 0o666
        // Whoever had it may have moved it to its place between our opening and our locking it.
        for _ in 0..<16 {
            let descriptor = systemOpen(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, mode)
            guard descriptor >= 0 else {
                guard errno != ELOOP else { throw foreign(path) }
                throw .fileFailed(FileFailure(code: errno, path: path, "it can't be opened"))
            }
            let file = PartFile(path: path, descriptor: descriptor)
            if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
                throw .fileFailed(FileFailure(.busy, path: path, "another download is writing it"))
            }
            var own = stat()
            guard fstat(descriptor, &own) == 0 else { throw file.failure("it can't be examined") }
            guard own.st_mode & S_IFMT == S_IFREG, own.st_uid == geteuid() else { throw foreign(path) }
            if own.st_nlink > 1 {
                // A second name of something else, which is not to be written through.
                unlink(path)
                continue
            }
            if file.isNamed { return file }
        }
        throw .fileFailed(FileFailure(.busy, path: path, "others keep moving it"))
    }

    private static func foreign(_ path: String) -> HTTPError {
        .fileFailed(FileFailure(.permissionDenied, path: path, "it is a link, or belongs to another user"))
    }

    /// Whether its name is still its own, and not gone or another file's.
    private var isNamed: Bool {
        var own = stat(), named = stat()
        return fstat(descriptor, &own) == 0 && lstat(path, &named) == 0 && own.st_ino == named.st_ino && own.st_dev == named.st_dev
    }

    /// How many bytes it has.
    func size() throws(HTTPError) -> Int64 {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("it can't be examined") }
        return Int64(status.st_size)
    }

    /// Drops all bytes.
    func empty() throws(HTTPError) { if ftruncate(descriptor, 0) != 0 { throw failure("it can't be emptied") } }

    /// Writes bytes at a place.
    func write(_ bytes: Data, at offset: Int64) throws(HTTPError) {
        let code: Int32 = bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            var place = offset
            while !rest.isEmpty {
                let written = pwrite(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count, off_t(place))
                if written < 0, errno == EINTR { continue }
                // Nothing written, and no error: a full disk, on some file systems.
                guard written > 0 else { return written == 0 ? ENOSPC : errno }
                rest = rest.dropFirst(written)
                place += Int64(written)
            }
            return 0
        }
        if code != 0 { throw .fileFailed(FileFailure(code: code, path: path, "it can't be written")) }
    }

    /// Returns the digest of some of the file's bytes.
    func digest(_ algorithm: ContentDigest.Algorithm, of range: Range<Int64>) async throws(HTTPError) -> Data {
        switch algorithm {
        case .sha256: try await digest(SHA256(), of: range)
        case .sha512: try await digest(SHA512(), of: range)
        }
    }

    private func digest<Word>(_ empty: SHA2<Word>, of range: Range<Int64>) async throws(HTTPError) -> Data {
        var hash = empty, place = range.lowerBound
        // Little at a time: in a debug build a digest is slow, and others wait for the thread.
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while place < range.upperBound {
            if Task.isCancelled { throw .cancelled }
            let wanted = Int(min(Int64(buffer.count), range.upperBound - place))
            let count = buffer.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, wanted, off_t(place)) }
            if count < 0, errno == EINTR { continue }
            guard count != 0 else { throw .fileFailed(FileFailure(.other, path: path, "it has become shorter while it was read again")) }
            guard count > 0 else { throw failure("it can't be read again") }
            buffer.withUnsafeBytes { hash.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            place += Int64(count)
            await Task.yield()
        }
        return Data(hash.finish())
    }

    /// Waits until the bytes are on the disk itself.
    func sync() throws(HTTPError) { try PartFile.sync(descriptor, path) }

    /// Waits until the names in a file's folder are on the disk itself.
    static func syncFolder(of path: String) throws(HTTPError) {
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) + "/"
        let descriptor = systemOpen(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        guard descriptor >= 0 else { throw .fileFailed(FileFailure(code: errno, path: folder, "it can't be opened")) }
        defer { close(descriptor) }
        try sync(descriptor, folder)
    }

    private static func sync(_ descriptor: Int32, _ path: String) throws(HTTPError) {
        #if canImport(Darwin)
        // There, `fsync` ends at the drive's own memory.
        if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        if fsync(descriptor) != 0 { throw .fileFailed(FileFailure(code: errno, path: path, "it can't be brought to the disk")) }
    }

    /// Gives it its final name, in one step; false when there is a file of that name and it may not be replaced.
    ///
    /// It gets the permissions of the file that it replaces.
    func move(to target: String, replacing: Bool) throws(HTTPError) -> Bool {
        guard isNamed else { throw .fileFailed(FileFailure(.other, path: path, "somebody else has moved or replaced it")) }
        if replacing, let mode = PartFile.mode(of: target) { fchmod(descriptor, mode) }
        if replacing {
            guard rename(path, target) == 0 else {
                throw .fileFailed(FileFailure(code: errno, path: target, "it can't be put in its place"))
            }
            return true
        }
        switch PartFile.moveWithoutReplacing(path, target) {
        case 0: return true
        case EEXIST: return false
        case let code: throw .fileFailed(FileFailure(code: code, path: target, "it can't be put in its place"))
        }
    }

    /// The permissions of a file; nil when it is not there.
    private static func mode(of path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? status.st_mode & 0o777 : nil
    }

    /// Removes it.
    func remove() { unlink(path) }

    private func failure(_ what: String) -> HTTPError { .fileFailed(FileFailure(code: errno, path: path, what)) }
}

extension PartFile {
    /// Gives a file another name, unless that is taken; 0, or the system's error.
    private static func moveWithoutReplacing(_ path: String, _ target: String) -> Int32 {
        if link(path, target) == 0 {
            // Should it end here, whoever opens the part file sees that it has another name, and leaves it.
            unlink(path)
            return 0
        }
        guard errno == EPERM || errno == ENOTSUP || errno == EOPNOTSUPP || errno == ENOSYS else { return errno }
        // A file system without second names: the name is claimed, and what claimed it replaced.
        let claim = systemOpen(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard claim >= 0 else { return errno }
        close(claim)
        return rename(path, target) == 0 ? 0 : errno
    }
}
