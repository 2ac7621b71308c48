internal import MartletEssentials
internal import MartletSystem

/// The target of a download, and the names of the files beside it while it runs.
struct DownloadDestination: Sendable {
    private let folder: String
    /// The name of the file, or nil if the response determines it.
    private let name: String?
    private let partName: String

    /// Creates a destination for a file.
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
        // A name of nearly the maximum length leaves no room for the extension.
        partName = "." + (name.utf8.count <= 240 ? name : "download-" + key.prefix(16)) + ".part"
    }

    /// Creates a destination in a folder. The response determines the name of the file.
    init(folder: URL, key: String) throws(HTTPError) {
        guard folder.isFileURL else {
            throw .fileFailed(FileFailure(.invalidName, path: Redaction.url(folder), "it is not the URL of a folder"))
        }
        self.folder = folder.path.hasSuffix("/") ? folder.path : folder.path + "/"
        name = nil
        partName = ".download-\(key.prefix(16)).part"
    }

    /// The path of the file with the bytes received so far.
    var partPath: String { folder + partName }

    /// The path of the record that a later call needs to resume.
    var recordPath: String { folder + partName + "-info" }

    /// The path of the file, if its name is known before the response.
    var knownPath: String? { name.map { folder + $0 } }

    /// Returns the path of the file: the requested one, or the one of this name, which the response proposes.
    func path(named proposed: String) -> String { folder + (name ?? proposed) }

    /// Returns the file name for a response: that in `Content-Disposition` (RFC 6266), or the last segment of its URL.
    ///
    /// The name never leaves the folder and is never hidden.
    static func name(for response: HTTPResponse<Void>, of request: HTTPRequest) -> String {
        let proposed = response.headers[.contentDisposition].flatMap { ContentDisposition($0)?.safeFilename }
        let url = response.metadata.url ?? request.url
        let segment = url.lastPathComponent
        return proposed ?? ContentDisposition.safeFilename(segment) ?? "download"
    }

    /// Returns the path with a number in its file name, such as `report 2.pdf`, within the maximum length of a name.
    static func numbered(_ path: String, _ number: Int) -> String {
        let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let name = path[slash...]
        let dot = name.lastIndex(of: ".").flatMap { $0 == name.startIndex ? nil : $0 } ?? name.endIndex
        let end = " \(number)" + name[dot...]
        var stem = name[..<dot]
        while stem.utf8.count + end.utf8.count > 255, !stem.isEmpty { stem = stem.dropLast() }
        return path[..<slash] + stem + end
    }

    /// Returns whether a file, a folder or a link of that name exists.
    static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Returns whether a folder of that name exists.
    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
