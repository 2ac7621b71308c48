internal import MartletEssentials
internal import MartletSystem

/// Where a download goes, and the names of the files beside it while it is under way.
struct DownloadDestination: Sendable {
    private let folder: String
    /// Nil when the answer names the file.
    private let name: String?
    private let partName: String

    /// A file.
    init(file: URL, key: String) throws(HTTPError) {
        guard file.isFileURL, !file.hasDirectoryPath, let slash = file.path.lastIndex(of: "/") else {
            throw .fileFailed(FileFailure(.invalidName, path: Redaction.url(file), "it is not the URL of a file"))
        }
        let name = String(file.path[file.path.index(after: slash)...])
        guard name != ".", name != ".." else {
            throw .fileFailed(FileFailure(.invalidName, path: file.path, "it is the name of a folder"))
        }
        guard name.utf8.count <= 255 else {
            throw .fileFailed(FileFailure(.invalidName, path: file.path, "its name has more than 255 bytes"))
        }
        folder = String(file.path[...slash])
        self.name = name
        // A name that is as long as it may be leaves no room.
        partName = "." + (name.utf8.count <= 240 ? name : "download-" + key.prefix(16)) + ".part"
    }

    /// A folder: the answer says what the file is called.
    init(folder: URL, key: String) throws(HTTPError) {
        guard folder.isFileURL else {
            throw .fileFailed(FileFailure(.invalidName, path: Redaction.url(folder), "it is not the URL of a folder"))
        }
        self.folder = folder.path.hasSuffix("/") ? folder.path : folder.path + "/"
        name = nil
        partName = ".download-\(key.prefix(16)).part"
    }

    /// The bytes that have come.
    var partPath: String { folder + partName }

    /// What a later call must know of them.
    var recordPath: String { folder + partName + "-info" }

    /// The file, when its name is known before the answer.
    var knownPath: String? { name.map { folder + $0 } }

    /// The file: as was asked for, or by the name that the answer gives it.
    func path(named told: String) -> String { folder + (name ?? told) }

    /// The name that an answer gives its content: by `Content-Disposition` (RFC 6266), else the last segment of its URL. Never one that
    /// leaves the folder or hides.
    static func name(for response: HTTPResponse<Void>, of request: HTTPRequest) -> String {
        let told = response.headers[.contentDisposition].flatMap { ContentDisposition($0)?.safeFilename }
        let url = response.metadata.url ?? request.url
        let segment = url.lastPathComponent
        return told ?? ContentDisposition.safeFilename(segment) ?? "download"
    }

    /// The name with a number: `report 2.pdf`. It is no longer than a name may be.
    static func numbered(_ path: String, _ number: Int) -> String {
        let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let name = path[slash...]
        let dot = name.lastIndex(of: ".").flatMap { $0 == name.startIndex ? nil : $0 } ?? name.endIndex
        let end = " \(number)" + name[dot...]
        var stem = name[..<dot]
        while stem.utf8.count + end.utf8.count > 255, !stem.isEmpty { stem = stem.dropLast() }
        return path[..<slash] + stem + end
    }

    /// Whether something of that name is there.
    static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Whether there is a folder of that name.
    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
