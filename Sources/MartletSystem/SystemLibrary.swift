internal import MartletEssentials

/// A shared library of the system that is opened at run time. It is closed only if it can't be used.
package struct SystemLibrary: Sendable {
    /// Why no library could be used. The description is one sentence without its period.
    package struct Unusable: Error, CustomStringConvertible {
        package let description: String

        package init(_ description: String) { self.description = description }
    }

    // Proof: the loader's functions may be called from any thread.
    private nonisolated(unsafe) let handle: UnsafeMutableRawPointer
    /// The name or the path that it was opened by.
    private let name: String

    private init(handle: UnsafeMutableRawPointer, name: String) {
        self.handle = handle
        self.name = name
    }

    /// Returns what `bind` makes of the first library that it accepts.
    ///
    /// The libraries are opened in the order of ``LibraryCandidates``. The search continues after a library that cannot be opened, or for
    /// which `bind` throws because it lacks a function or is too old: a file beside the program must not hide the system's library.
    ///
    /// - Parameters:
    ///   - title: The library's name in errors.
    ///   - names: The file names, the best first.
    ///   - setting: The environment variable that names the only library to use, as an absolute path.
    package static func first<Binding>(
        _ title: String, names: [String], setting: String? = nil, bind: (SystemLibrary) throws(Unusable) -> Binding
    ) throws(Unusable) -> Binding {
        let candidates = try LibraryCandidates(names: names, setting: setting.flatMap(LibraryCandidates.Setting.init))
        var reasons: [String] = []
        for path in candidates.paths {
            guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
                if let reason = LibraryCandidates.failure(path, loaderError()) { reasons.append(reason) }
                continue
            }
            do throws(Unusable) { return try bind(SystemLibrary(handle: handle, name: path)) } catch {
                dlclose(handle)
                reasons.append(error.description)
            }
        }
        throw candidates.failure(title, reasons)
    }

    /// Returns the function with a name. It must have the type `Function`.
    package func function<Function>(_ name: String) throws(Unusable) -> Function {
        guard let address = dlsym(handle, name) else { throw missing(name) }
        return unsafeBitCast(address, to: Function.self)
    }

    /// Finds several functions with C code, which returns nil, or the name of the first missing function.
    package func bind(_ find: (UnsafeMutableRawPointer) -> UnsafePointer<CChar>?) throws(Unusable) {
        if let missing = find(handle) { throw self.missing(String(cString: missing)) }
    }

    /// Returns a table of functions, which is never freed.
    ///
    /// - Parameters:
    ///   - empty: A table without functions.
    ///   - fill: Fills the table from the library's handle. Returns nil, or the name of the first missing function.
    package func table<Table>(
        _ empty: Table, fill: (UnsafeMutableRawPointer, UnsafeMutablePointer<Table>) -> UnsafePointer<CChar>?
    ) throws(Unusable) -> UnsafePointer<Table> {
        let table = UnsafeMutablePointer<Table>.allocate(capacity: 1)
        table.initialize(to: empty)
        do throws(Unusable) { try bind { fill($0, table) } } catch {
            table.deallocate()
            throw error
        }
        return UnsafePointer(table)
    }

    private func missing(_ function: String) -> Unusable {
        // The loader's error begins with the file that was opened.
        _ = dlsym(handle, function)
        let file = SystemLibrary.loaderError().flatMap { $0.components(separatedBy: ": undefined symbol").first }
        return Unusable("\(file.map { $0.hasPrefix("/") ? $0 : name } ?? name) has no \(function)")
    }

    private static func loaderError() -> String? { dlerror().map { String(cString: $0) } }
}

/// The files that may be a library of the system, in the order in which they are tried.
///
/// A bare name is searched for by the loader: in the folders of `LD_LIBRARY_PATH`, those of the program's `RUNPATH` and the system's. The
/// loader ends its search at the first file with the name, also if that is damaged or another library. So each name also stands for the
/// files of the system's folders, which are tried last.
package struct LibraryCandidates: Equatable, Sendable {
    /// An environment variable that names the only library to use.
    package struct Setting: Equatable, Sendable {
        package let variable: String
        package let path: String

        package init(variable: String, path: String) {
            self.variable = variable
            self.path = path
        }

        /// Reads a variable of the process. It returns nil if that is not set.
        init?(_ variable: String) {
            // A program with more rights than its user ignores the user's choice, as the loader does.
            guard getuid() == geteuid(), getgid() == getegid(), let path = getenv(variable) else { return nil }
            self.init(variable: variable, path: String(cString: path))
        }
    }

    /// Names and paths for the loader.
    package let paths: [String]
    private let names: [String]
    private let setting: Setting?

    package init(names: [String], setting: Setting? = nil, folders: [String] = systemFolders) throws(SystemLibrary.Unusable) {
        if let setting, !setting.path.hasPrefix("/") {
            throw SystemLibrary.Unusable("\(setting.variable) must be an absolute path and is “\(setting.path)”")
        }
        self.names = names
        self.setting = setting
        let bare = names.filter { !$0.contains("/") }
        paths = setting.map { [$0.path] } ?? names + folders.flatMap { folder in bare.map { "\(folder)/\($0)" } }
    }

    #if os(Linux)
    #if arch(x86_64)
    private static let architecture = "x86_64-linux-gnu"
    #elseif arch(arm64)
    private static let architecture = "aarch64-linux-gnu"
    #else
    private static let architecture = "linux-gnu"
    #endif
    /// The folders in which distributions keep the system's libraries. Those for another word size are refused by the loader.
    package static let systemFolders = ["/usr/lib/\(architecture)", "/lib/\(architecture)", "/usr/lib64", "/lib64", "/usr/lib", "/lib"]
    #else
    package static let systemFolders: [String] = []
    #endif

    /// Returns the reason that the loader gave for a file, or nil if the file does not exist.
    package static func failure(_ path: String, _ loaderError: String?) -> String? {
        guard let loaderError else { return "\(path) can't be opened" }
        // A library that lacks another one has an error that begins with the other one's name.
        return loaderError.hasPrefix("\(path): cannot open shared object file: No such file") ? nil : loaderError
    }

    /// Returns the error after all files have failed for these reasons. Files that do not exist have none.
    package func failure(_ title: String, _ reasons: [String]) -> SystemLibrary.Unusable {
        let source = setting.map { ", which \($0.variable) names" } ?? ""
        guard reasons.isEmpty else {
            return SystemLibrary.Unusable("no usable \(title) was found\(source): \(Set(reasons).sorted().joined(separator: "; "))")
        }
        let tried = (setting.map { [$0.path] } ?? names).joined(separator: ", ")
        return SystemLibrary.Unusable("\(title) is not installed (tried \(tried)\(source))")
    }
}
