internal import MartletEssentials
internal import MartletSystem

/// The file of a store. Its operations block.
struct CookieFile: Sendable {
    private let path: String

    /// The cookies of a file, and the damage because of which it was renamed.
    struct Content: Sendable {
        var cookies: [Cookie] = []
        var damage: CookieStoreError?
    }

    private struct Document: Codable {
        var version = 1
        var cookies: [Cookie]
    }

    /// 3,000 cookies of 4,096 bytes and their attributes fit.
    private static let maxBytes = 64 << 20

    init(url: URL) { path = url.isFileURL ? url.path : "" }

    /// Runs blocking work outside the task pool.
    static func onLane<Value: Sendable>(
        _ work: @escaping @Sendable () throws(CookieStoreError) -> Value
    ) async -> Result<Value, CookieStoreError> {
        do throws(HTTPError) {
            return try await FileLanes.shared.run { () throws(HTTPError) in
                do throws(CookieStoreError) { return .success(try work()) } catch { return .failure(error) }
            }
        } catch { return .failure(CookieStoreError(.unavailable, "the file system does not respond", underlying: error)) }
    }

    // MARK: Reading

    /// Reads the cookies. A missing file has none. A damaged one is renamed.
    func read() throws(CookieStoreError) -> Content {
        guard !path.isEmpty else { throw CookieStoreError(.unavailable, "the cookies' URL is not a file URL") }
        let descriptor = systemOpen(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT: return Content()
            case ELOOP: throw CookieStoreError(.unavailable, "\(path) is a symbolic link")
            default: throw failure("can't be opened")
            }
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("can't be examined") }
        if let why = CookieFile.refusal(of: status) { throw CookieStoreError(.unavailable, "\(path) \(why)") }
        if status.st_mode & 0o077 != 0, fchmod(descriptor, 0o600) != 0 { throw failure("can be read by others, which can't be changed") }
        let data = try bytes(descriptor)
        do {
            guard data.count <= CookieFile.maxBytes else { throw CookieStoreError(.corrupt, "it is too large") }
            let document = try JSONBodyDecoder().decode(Document.self, from: data)
            guard document.version == 1 else { throw CookieStoreError(.corrupt, "its version \(document.version) is unknown") }
            return Content(cookies: document.cookies)
        } catch {
            guard rename(path, path + ".corrupt") == 0 else { throw failure("is damaged and can't be renamed") }
            // The error of the decoder may quote a cookie.
            let why = (error as? CookieStoreError)?.detail ?? "it is not a list of cookies"
            return Content(damage: CookieStoreError(.corrupt, "\(path) was renamed to \(path).corrupt: \(why)"))
        }
    }

    private func bytes(_ descriptor: Int32) throws(CookieStoreError) -> Data {
        var data = Data(), chunk = [UInt8](repeating: 0, count: 64 * 1024)
        while data.count <= CookieFile.maxBytes {
            let count = chunk.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure("can't be read") }
            if count == 0 { break }
            data.append(contentsOf: chunk[..<count])
        }
        return data
    }

    /// Returns why an existing file must not be used, or nil if it is acceptable.
    static func refusal(of status: stat, user: uid_t = geteuid()) -> String? {
        if status.st_mode & S_IFMT == S_IFLNK { return "is a symbolic link" }
        guard status.st_mode & S_IFMT == S_IFREG else { return "is not a file" }
        return status.st_uid == user ? nil : "belongs to another user"
    }

    // MARK: Writing

    /// Replaces the file in one step: a reader sees the old or the new cookies.
    func write(_ cookies: [Cookie]) throws(CookieStoreError) {
        guard !path.isEmpty else { throw CookieStoreError(.unavailable, "the cookies' URL is not a file URL") }
        let data: Data
        do { data = try JSONBodyEncoder().encode(Document(cookies: cookies)) } catch {
            throw CookieStoreError(.other, "the cookies can't be encoded", underlying: error)
        }
        try createFolder()
        var status = stat()
        if lstat(path, &status) == 0, let why = CookieFile.refusal(of: status) {
            throw CookieStoreError(.unavailable, "\(path) \(why)")
        }
        let draft = path + ".new"
        // The rest of a process that ended while it wrote.
        unlink(draft)
        let descriptor = systemOpen(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("can't be created") }
        defer { close(descriptor) }
        do throws(CookieStoreError) {
            try write(data, to: descriptor)
            guard fsync(descriptor) == 0 else { throw failure("can't be flushed to the disk") }
            guard rename(draft, path) == 0 else { throw failure("can't be replaced") }
        } catch {
            unlink(draft)
            throw error
        }
    }

    private func write(_ data: Data, to descriptor: Int32) throws(CookieStoreError) {
        let code: Int32 = data.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let written = systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if written < 0, errno == EINTR { continue }
                guard written > 0 else { return written == 0 ? ENOSPC : errno }
                rest = rest.dropFirst(written)
            }
            return 0
        }
        if code != 0 { throw failure("can't be written", code) }
    }

    private func createFolder() throws(CookieStoreError) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch { throw CookieStoreError(.unavailable, "the folder \(folder.path) can't be created", underlying: error) }
    }

    private func failure(_ what: String, _ code: Int32 = errno) -> CookieStoreError {
        CookieStoreError(code == ENOSPC || code == EDQUOT ? .full : .unavailable, "\(path) \(what): \(SystemFailure.words(code))")
    }
}
