internal import MartletEssentials
internal import MartletSystem

/// The content of a file that a store keeps, as JSON.
protocol StateDocument: Codable, Sendable {
    /// The format. A file with another one is damaged.
    static var currentVersion: Int { get }
    var version: Int { get }
}

/// A file of a store, which only its owner can read. Its operations block.
struct StateFile: Sendable {
    /// The path, or an empty text if the URL is not one of a file.
    let path: String

    /// The document of a file, or nil without one, and the damage because of which the file was renamed.
    struct Content<Document: StateDocument>: Sendable {
        var document: Document?
        var damage: StateStoreError?
    }

    /// 3,000 cookies of 4,096 bytes and their attributes fit.
    private static let maxBytes = 64 << 20

    init(url: URL) { path = url.isFileURL ? url.path : "" }

    /// Runs blocking work outside the task pool.
    static func onLane<Value: Sendable>(
        _ work: @escaping @Sendable () throws(StateStoreError) -> Value
    ) async -> Result<Value, StateStoreError> {
        do throws(HTTPError) {
            return try await FileLanes.shared.run { () throws(HTTPError) in
                do throws(StateStoreError) { return .success(try work()) } catch { return .failure(error) }
            }
        } catch { return .failure(.unavailable(Explanation("the file system does not respond", context: ErrorContext(underlying: error)))) }
    }

    // MARK: Reading

    /// Reads the document. A missing file has none. A damaged one is renamed.
    func read<Document: StateDocument>(_ type: Document.Type) throws(StateStoreError) -> Content<Document> {
        guard !path.isEmpty else { throw .unavailable("the URL of the store is not a file URL") }
        let descriptor = systemOpen(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT: return Content()
            case ELOOP: throw .unavailable("\(path) is a symbolic link")
            default: throw failure("can't be opened")
            }
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("can't be examined") }
        if let why = StateFile.refusal(of: status) { throw .unavailable("\(path) \(why)") }
        if status.st_mode & 0o077 != 0, fchmod(descriptor, 0o600) != 0 { throw failure("can be read by others, which can't be changed") }
        let data = try bytes(descriptor)
        do {
            guard data.count <= StateFile.maxBytes else { throw StateStoreError.corrupt("it is too large") }
            let document = try JSONBodyDecoder().decode(Document.self, from: data)
            guard document.version == Document.currentVersion else {
                throw StateStoreError.corrupt("its version \(document.version) is unknown")
            }
            return Content(document: document)
        } catch {
            guard rename(path, path + ".corrupt") == 0 else { throw failure("is damaged and can't be renamed") }
            // The error of the decoder may quote a cookie.
            let why = if case StateStoreError.corrupt(let why) = error { why.text } else { "it does not have the expected content" }
            return Content(damage: .corrupt("\(path) was renamed to \(path).corrupt: \(why)"))
        }
    }

    private func bytes(_ descriptor: Int32) throws(StateStoreError) -> Data {
        var data = Data(), chunk = [UInt8](repeating: 0, count: 64 * 1024)
        while data.count <= StateFile.maxBytes {
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

    /// Replaces the file in one step: a reader, also in another process, sees the old or the new document.
    func write(_ document: some StateDocument) throws(StateStoreError) {
        guard !path.isEmpty else { throw .unavailable("the URL of the store is not a file URL") }
        let data: Data
        do { data = try JSONBodyEncoder().encode(document) } catch {
            throw .other(Explanation("the content of \(path) can't be encoded", context: ErrorContext(underlying: error)))
        }
        try createFolder()
        var status = stat()
        if lstat(path, &status) == 0, let why = StateFile.refusal(of: status) {
            throw .unavailable("\(path) \(why)")
        }
        let descriptor = try openDraft()
        // It also ends the lock.
        defer { close(descriptor) }
        do throws(StateStoreError) {
            guard fchmod(descriptor, 0o600) == 0, ftruncate(descriptor, 0) == 0 else { throw failure("can't be created") }
            try write(data, to: descriptor)
            guard fsync(descriptor) == 0 else { throw failure("can't be flushed to the disk") }
            guard rename(draft, path) == 0 else { throw failure("can't be replaced") }
        } catch {
            unlink(draft)
            throw error
        }
    }

    private var draft: String { path + ".new" }

    /// Opens the file that will replace this one, and locks it against other writers, also in other processes.
    private func openDraft() throws(StateStoreError) -> Int32 {
        while true {
            let descriptor = systemOpen(draft, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw failure("can't be created") }
            var locked = stat(), current = stat()
            let isExamined = fstat(descriptor, &locked) == 0
            if isExamined, let why = StateFile.refusal(of: locked) ?? (locked.st_nlink > 1 ? "has several names" : nil) {
                close(descriptor)
                throw .unavailable("\(draft) \(why)")
            }
            guard isExamined, flock(descriptor, LOCK_EX) == 0 else {
                let code = errno
                close(descriptor)
                if code == EINTR { continue }
                throw failure("can't be locked", code)
            }
            // The writer that had the lock may have renamed or removed the draft.
            if lstat(draft, &current) == 0, current.st_ino == locked.st_ino, current.st_dev == locked.st_dev { return descriptor }
            close(descriptor)
        }
    }

    private func write(_ data: Data, to descriptor: Int32) throws(StateStoreError) {
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

    private func createFolder() throws(StateStoreError) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch { throw .unavailable(Explanation("the folder \(folder.path) can't be created", context: ErrorContext(underlying: error))) }
    }

    private func failure(_ what: String, _ code: Int32 = errno) -> StateStoreError {
        let why: Explanation = "\(path) \(what): \(SystemFailure.words(code))"
        return code == ENOSPC || code == EDQUOT ? .full(why) : .unavailable(why)
    }
}
