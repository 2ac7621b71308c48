import MartletSystem
import Testing

@Suite("System libraries", .timeLimit(.minutes(5)))
struct SystemLibraryTests {
    // MARK: Candidates

    @Test("All names are tried, and then the files with these names in the system's folders")
    func candidates() throws {
        let candidates = try LibraryCandidates(names: ["liba.so.2", "/opt/liba.so"], folders: ["/usr/lib64", "/lib"])
        #expect(candidates.paths == ["liba.so.2", "/opt/liba.so", "/usr/lib64/liba.so.2", "/lib/liba.so.2"])
    }

    @Test("A setting names the only file to try, as an absolute path")
    func setting() throws {
        let setting = LibraryCandidates.Setting(variable: "MARTLET_LIBA", path: "/opt/liba.so.2")
        #expect(try LibraryCandidates(names: ["liba.so.2"], setting: setting, folders: ["/lib"]).paths == ["/opt/liba.so.2"])
        for path in ["liba.so.2", "./liba.so.2", ""] {
            let error = #expect(throws: SystemLibrary.Unusable.self) {
                try LibraryCandidates(names: ["liba.so.2"], setting: .init(variable: "MARTLET_LIBA", path: path))
            }
            #expect(error?.description == "MARTLET_LIBA must be an absolute path and is “\(path)”")
        }
    }

    @Test("A file that does not exist is no reason, and a damaged file or one whose own library is missing is")
    func reasons() {
        func reason(_ text: String) -> String? { LibraryCandidates.failure("liba.so.2", text) }
        #expect(reason("liba.so.2: cannot open shared object file: No such file or directory") == nil)
        for text in ["/app/liba.so.2: file too short", "libz.so.1: cannot open shared object file: No such file or directory"] {
            #expect(reason(text) == text)
        }
        #expect(LibraryCandidates.failure("liba.so.2", nil) == "liba.so.2 can't be opened")
    }

    @Test("The error after all files failed says which were tried, or why those that exist can't be used")
    func failures() throws {
        let candidates = try LibraryCandidates(names: ["liba.so.2", "liba.so"], folders: ["/lib"])
        #expect(candidates.failure("A", []).description == "A is not installed (tried liba.so.2, liba.so)")
        #expect(candidates.failure("A", ["two", "one", "two"]).description == "no usable A was found: one; two")
        let named = try LibraryCandidates(names: ["liba.so.2"], setting: .init(variable: "V", path: "/opt/a"))
        #expect(named.failure("A", []).description == "A is not installed (tried /opt/a, which V names)")
        #expect(named.failure("A", ["one"]).description == "no usable A was found, which V names: one")
    }

    // MARK: Opening

    #if os(Linux)
    @Test("A library without the wanted functions, or one that the caller refuses, does not end the search")
    func search() throws {
        let names = ["libnothing.so.9", "libm.so.6", "libc.so.6"]
        var opened = 0
        let version = try SystemLibrary.first("C", names: names) { library throws(SystemLibrary.Unusable) in
            opened += 1
            let version: @convention(c) () -> UnsafePointer<CChar> = try library.function("gnu_get_libc_version")
            if opened == 1 { throw SystemLibrary.Unusable("too old") }
            return String(cString: version())
        }
        #expect(opened >= 2)
        #expect(version.hasPrefix("2."))
    }

    @Test("A missing function is reported with the path of its library")
    func missingFunction() {
        let error = #expect(throws: SystemLibrary.Unusable.self) {
            try SystemLibrary.first("A", names: ["libm.so.6"]) { library throws(SystemLibrary.Unusable) in
                let none: @convention(c) () -> Void = try library.function("no_such_function")
                return none
            }
        }
        let text = error?.description ?? ""
        #expect(text.hasPrefix("no usable A was found: /"), "\(text)")
        #expect(text.hasSuffix("/libm.so.6 has no no_such_function"), "\(text)")
    }
    #endif
}
