package import MartletEssentials
internal import MartletSystem

/// Reads and writes files.
package struct Files: Sendable {
    /// The folder that relative paths begin at.
    private let root: URL

    /// - Parameter directory: The folder that relative paths begin at. Default: nil, the current folder.
    package init(directory: String?) {
        root = URL(fileURLWithPath: directory ?? FileManager.default.currentDirectoryPath)
    }

    package func url(_ path: String) -> URL { path.hasPrefix("/") ? URL(fileURLWithPath: path) : root.appendingPathComponent(path) }

    // MARK: Reading

    /// Reads a file of at most `limit` bytes. `-` is standard input.
    package func read(_ file: String, limit: Int) throws(CommandError) -> Data {
        // Without O_NONBLOCK, a named pipe that has no writer would block for ever.
        let descriptor = file == "-" ? 0 : open(url(file).path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .input(file, reason: Files.lastError) }
        defer { if file != "-" { close(descriptor) } }
        var data = Data(), buffer = [UInt8](repeating: 0, count: 65_536)
        while data.count <= limit {
            let count = MartletSystem.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN {
                // A pipe that has a writer: wait for it.
                var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                _ = poll(&event, 1, -1)
                continue
            }
            guard count >= 0 else { throw .input(file, reason: Files.lastError) }
            if count == 0 { return data }
            data.append(contentsOf: buffer[..<count])
        }
        throw .tooLarge(file, limit: limit)
    }

    /// Returns the text of the file with a name in a folder or its subfolders, or nil. Hidden folders, links to folders and what can't be
    /// read are skipped.
    package func find(_ name: String, under folder: String) throws(CommandError) -> String? {
        var folders = [url(folder)]
        while let folder = folders.popLast() {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            for item in names.sorted() where !item.hasPrefix(".") {
                let path = folder.appendingPathComponent(item).path
                if item == name, Files.mode(path) == S_IFREG { return String(decoding: try read(path, limit: 4_000_000), as: UTF8.self) }
                if Files.isFolder(path), !Files.isLink(path) { folders.append(URL(fileURLWithPath: path)) }
            }
        }
        return nil
    }

    /// Returns the files in a folder and its subfolders, sorted by path. Hidden files and folders are skipped. Links are followed, but each
    /// folder is listed once.
    ///
    /// - Throws: A folder or link can't be read, or a wanted name is neither a file nor a folder. Then the list would not be complete.
    package func list(under folder: String, where isWanted: (String) -> Bool) throws(CommandError) -> [URL] {
        // A folder is listed under its own path rather than under that of a link.
        var folders = [url(folder)], links: [URL] = [], found: [URL] = [], listed: Set<String> = []
        while let folder = folders.popLast() ?? links.popLast() {
            guard listed.insert(folder.resolvingSymlinksInPath().path).inserted else { continue }
            for item in try Files.names(in: folder).sorted() where !item.hasPrefix(".") {
                let url = folder.appendingPathComponent(item), isLink = Files.isLink(url.path)
                switch Files.mode(url.path) {
                // The file was removed in the meantime.
                case nil where errno == ENOENT && !isLink: break
                case nil: throw .input(url.path, reason: Files.lastError)
                case S_IFDIR: if isLink { links.append(url) } else { folders.append(url) }
                case S_IFREG: if isWanted(item) { found.append(url) }
                default: if isWanted(item) { throw .input(url.path, reason: "it is not a file") }
                }
            }
        }
        return found.sorted { $0.path < $1.path }
    }

    private static func names(in folder: URL) throws(CommandError) -> [String] {
        do { return try FileManager.default.contentsOfDirectory(atPath: folder.path) } catch {
            throw .input(folder.path, reason: "it can't be listed")
        }
    }

    /// Whether a path is that of a folder, or of a link to one.
    package func isFolder(_ path: String) -> Bool { Files.isFolder(url(path).path) }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
    }

    /// Returns the kind of a file, or nil with the reason in `errno`.
    private static func mode(_ path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }

    package static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    // MARK: Writing

    /// Writes all files, or none if one of them can't be written. Each is complete when it appears under its name. If a complete file can't
    /// be renamed, the files renamed before it stay.
    ///
    /// - Parameters:
    ///   - sources: The files with their texts.
    ///   - replaces: Whether existing files are replaced. A file that appears while this runs is not replaced without it.
    ///   - advice: What to do if files exist.
    package func write(_ sources: [(file: URL, text: String)], replaces: Bool, advice: String) throws(CommandError) {
        if !replaces {
            // A link that leads nowhere counts as a file.
            let existing = sources.filter { Files.exists($0.file.path) }
            guard existing.isEmpty else { throw .exists(existing.map(\.file.path), advice: advice) }
        }
        if let folder = sources.first(where: { Files.isFolder($0.file.path) }) { throw .output(folder.file.path, reason: "it is a folder") }
        var created: [URL] = [], staged: [(draft: String, file: String)] = []
        do throws(CommandError) {
            for (file, text) in sources {
                created += try makeFolder(file.deletingLastPathComponent())
                let draft = file.path + ".\(getpid()).draft"
                guard Files.create(draft, text) else {
                    // A draft of a program that runs in another container stays.
                    let isTaken = errno == EEXIST
                    throw .output(isTaken ? draft : file.path, reason: Files.lastError)
                }
                staged.append((draft, file.path))
            }
            try publish(staged, replaces: replaces, advice)
        } catch {
            for (draft, _) in staged { unlink(draft) }
            for folder in created.reversed() { rmdir(folder.path) }
            throw error
        }
    }

    /// Whether a file has the name of a draft of a Swift file, and the program that wrote it no longer runs. Known on Linux only.
    package static func isAbandonedDraft(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false).suffix(3)
        guard parts.count == 3, parts.first == "swift", parts.last == "draft", let process = Int32(parts[parts.startIndex + 1]), process > 0
        else { return false }
        #if os(Linux)
        return kill(process, 0) != 0 && errno == ESRCH
        #else
        return false
        #endif
    }

    /// Creates a file. Returns false, with the reason in `errno`, if that fails.
    private static func create(_ path: String, _ text: String) -> Bool {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { return false }
        let bytes = Array(text.utf8)
        var place = 0
        while place < bytes.count {
            let count = bytes[place...].withUnsafeBytes { MartletSystem.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let code = errno
                close(descriptor)
                unlink(path)
                errno = code
                return false
            }
            place += count
        }
        return close(descriptor) == 0
    }

    /// Gives the drafts their names. If one can't get its name, the files that are new are removed again.
    private func publish(_ staged: [(draft: String, file: String)], replaces: Bool, _ advice: String) throws(CommandError) {
        var published: [String] = []
        for (draft, file) in staged {
            let isNew = !Files.exists(file)
            guard (replaces ? rename(draft, file) : Files.move(draft, file)) == 0 else {
                let code = errno
                for file in published { unlink(file) }
                if code == EEXIST { throw .exists([file], advice: advice) }
                throw .output(file, reason: String(cString: strerror(code)))
            }
            if isNew { published.append(file) }
        }
    }

    /// Renames a file unless the new name exists.
    private static func move(_ draft: String, _ file: String) -> Int32 {
        // A hard link fails if the name exists, and a renaming replaces the file.
        if link(draft, file) == 0 { return unlink(draft) }
        // Some file systems, such as exFAT and shared folders, have no hard links.
        return errno == EEXIST || exists(file) ? fail(EEXIST) : rename(draft, file)
    }

    private static func fail(_ code: Int32) -> Int32 {
        errno = code
        return -1
    }

    /// Creates a folder with its parents, and returns the folders that are new.
    private func makeFolder(_ folder: URL) throws(CommandError) -> [URL] {
        var missing: [URL] = [], place = folder.standardizedFileURL
        while !Files.exists(place.path), place.path != "/" {
            missing.append(place)
            place = place.deletingLastPathComponent()
        }
        guard Files.isFolder(place.path) else { throw .output(folder.path, reason: "\(place.path) is not a folder") }
        guard access(place.path, W_OK | X_OK) == 0 else { throw .output(folder.path, reason: "\(place.path): \(Files.lastError)") }
        for folder in missing.reversed() {
            guard mkdir(folder.path, 0o777) == 0 || errno == EEXIST else { throw .output(folder.path, reason: Files.lastError) }
        }
        return missing.reversed()
    }

    /// Removes files. A file that does not exist is not an error.
    package func remove(_ files: [URL]) throws(CommandError) {
        for file in files where unlink(file.path) != 0 && errno != ENOENT { throw .output(file.path, reason: Files.lastError) }
    }

    private static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    private static var lastError: String { String(cString: strerror(errno)) }
}
