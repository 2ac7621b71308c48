import GeneratorCommand
import MartletEssentials
import MartletHTTP

/// The files with operations or schemas of a run, and their names.
struct SourceFiles {
    private let files: Files
    /// The folders and files that the option names, as absolute paths.
    private let paths: [String]
    private let root: String

    /// - Parameter paths: Files, or folders with files.
    init(_ paths: [String], _ files: Files) {
        self.files = files
        self.paths = paths.map { files.url($0).standardizedFileURL.path }
        root = files.url(".").standardizedFileURL.path
    }

    /// Reads the files, and those in the folders that have one of the extensions, each once.
    ///
    /// - Throws: A file can't be read, or files are not UTF-8. Each of these has a mistake with its line and column.
    func read(
        _ extensions: Set<String>, without excluded: SourceFiles? = nil, limit: Int
    ) throws(CommandError) -> [(name: String, text: String)] {
        var urls: [URL] = []
        for path in paths {
            if files.isFolder(path) {
                urls += try files.list(under: path) { extensions.contains(String($0.split(separator: ".").last ?? "")) }
            } else {
                urls.append(files.url(path))
            }
        }
        var seen = Set(excluded?.paths ?? []), sources: [(name: String, text: String)] = [], mistakes: [String] = []
        for url in urls where seen.insert(url.standardizedFileURL.path).inserted {
            let data = try files.read(url.path, limit: limit), text = String(decoding: data, as: UTF8.self), name = name(of: url)
            if let (line, column) = Self.firstReplacement(in: text, of: data) {
                mistakes.append("\(Redaction.visible(name)):\(line):\(column): error: the text is not UTF-8 here")
            }
            sources.append((name, text))
        }
        if !mistakes.isEmpty { throw .mistakes(mistakes, status: 65) }
        return sources
    }

    /// Returns the path of a file from the folder of the package, which is the same on every machine.
    private func name(of url: URL) -> String {
        let file = url.standardizedFileURL.path
        return file.hasPrefix(root + "/") ? String(file.dropFirst(root.count + 1)) : url.lastPathComponent
    }

    /// Returns the position of the first bytes that are not UTF-8, which the text has a replacement character for.
    private static func firstReplacement(in text: String, of data: Data) -> (line: Int, column: Int)? {
        if data.elementsEqual(text.utf8) { return nil }
        let bytes = Array(data), replacement = Array("\u{FFFD}".utf8)
        var offset = 0, line = 1, column = 1, last: Unicode.Scalar = " "
        for scalar in text.unicodeScalars {
            if scalar == "\u{FFFD}", !bytes[offset...].starts(with: replacement) { break }
            offset += UTF8.width(scalar)
            let isLineEnd = scalar == "\n" || scalar == "\r"
            if isLineEnd, !(scalar == "\n" && last == "\r") { line += 1 }
            column = isLineEnd ? 1 : column + 1
            last = scalar
        }
        return (line, column)
    }

    // MARK: Files that were generated from sources

    /// Whether a source, which the first line of a generated file names, is a file of the option or in a folder of it.
    func contain(_ source: String) -> Bool {
        let file = root + "/" + source
        return paths.contains { path in
            if file == path || file.hasPrefix(path + "/") { return true }
            // Of a file outside the folder of the package, only the last part of its path is known.
            let isOutside = !path.hasPrefix(root + "/") && !source.contains("/") && !exists(source)
            return isOutside && (files.isFolder(path) || path.hasSuffix("/" + source))
        }
    }

    /// Whether a source is a file in the folder of the package.
    func exists(_ source: String) -> Bool { FileManager.default.fileExists(atPath: root + "/" + source) }

    /// Whether a source was a file in the folder of the package and no longer exists.
    func isGone(_ source: String) -> Bool {
        // Without a folder, it may be outside. A question mark may stand for a character that is not shown.
        source.contains("/") && !source.contains("?") && !exists(source)
    }
}
