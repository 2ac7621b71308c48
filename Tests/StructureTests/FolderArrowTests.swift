import Testing

/// The arrows between the folders of a target: each knows only those before it.
private enum FolderArrows {
    /// Those of the core, in the order of the request's journey.
    static let folders = [
        "Synchronization", "Words", "Time", "Chance", "Calls", "Coding", "Messages", "Multipart", "Redirects", "Requests", "Transport",
        "Interceptors", "RequestFields", "Guards", "Retry", "Logging", "Client", "Streaming", "Events", "Pages", "Downloads", "Uploads",
        "Authentication", "AppErrors", "CacheRules", "CacheStores", "Caching", "StandardInterceptors",
    ]

    /// Those of GraphQL, in the order of the operation's journey.
    static let graphQLFolders = [
        "Syntax", "Documents", "Values", "Results", "Operations", "Messages", "Incremental", "Subscriptions", "Caching", "Client", "Pages",
        "AppErrors",
    ]

    /// Each place where a file names a type or a function of a later folder, and each file that is in no folder of the list.
    static func violations(in code: [String: String], folders: [String]) -> [String] {
        let sources = code.map { path, code in Source(path: path, code: code, folders: folders) }
        var homes: [Name: Int] = [:]
        for source in sources {
            guard let place = source.place else { continue }
            for name in source.declared { homes[name] = min(homes[name] ?? place, place) }
        }
        return sources.sorted { $0.path < $1.path }.flatMap { source -> [String] in
            guard let place = source.place else { return ["\(source.path) is in no folder of the list"] }
            return source.mentioned.filter { homes[$0] ?? place > place }.map { name in
                "\(source.path) names \(name.text), of \(folders[homes[name] ?? 0])"
            }.sorted()
        }
    }

    struct Name: Hashable {
        let text: String
        let isFunction: Bool
    }

    struct Source {
        let path: String
        /// Where its folder stands in the list.
        let place: Int?
        /// What it declares at its top level for others to name.
        let declared: Set<Name>
        /// What it names, but for members, and for types of its own that are called the same.
        let mentioned: Set<Name>

        init(path: String, code: String, folders: [String]) {
            self.path = path
            let parts = path.split(separator: "/")
            place = parts.count > 3 ? folders.firstIndex(of: String(parts[2])) : nil
            let words = FolderArrows.words(of: code)
            declared = Set(words.filter { $0.isDeclaration && $0.depth == 0 && !$0.isPrivate }.map(\.name))
            let own = Set(words.filter { $0.isDeclaration && ($0.depth > 0 || $0.isPrivate) }.map(\.name))
            mentioned = Set(words.filter { !$0.isDeclaration && !$0.isMember }.map(\.name)).subtracting(own)
        }
    }

    struct Word {
        let name: Name
        let depth: Int
        let isDeclaration: Bool
        let isMember: Bool
        let isPrivate: Bool
    }

    static func words(of code: String) -> [Word] {
        let typeWords: Set = ["struct", "class", "enum", "actor", "protocol", "typealias", "associatedtype"]
        var words: [Word] = [], depth = 0, modifiers: [String] = [], before: UInt8 = 0x20, place = 0
        let bytes = Array(code.utf8)
        while place < bytes.count {
            let byte = bytes[place]
            guard isLetter(byte) else {
                place += 1
                // Braces and the ends of lines.
                if byte == 0x7B { depth += 1 }
                if byte == 0x7D { depth -= 1 }
                if byte == 0x0A || byte == 0x7B || byte == 0x7D { modifiers = [] }
                if byte > 0x20 { before = byte }
                continue
            }
            let start = place
            while place < bytes.count, isLetter(bytes[place]) || bytes[place] >= 0x30 && bytes[place] <= 0x39 { place += 1 }
            let text = String(decoding: bytes[start..<place], as: UTF8.self)
            let isCalled = place < bytes.count && bytes[place] == 0x28 && byte >= 0x61 && byte <= 0x7A
            let isFunction = isCalled || modifiers.last == "func"
            words.append(
                Word(
                    name: Name(text: text, isFunction: isFunction), depth: depth,
                    isDeclaration: modifiers.last.map { typeWords.contains($0) || $0 == "func" } ?? false, isMember: before == 0x2E,
                    isPrivate: modifiers.contains("private") || modifiers.contains("fileprivate")))
            modifiers.append(text)
            before = bytes[place - 1]
        }
        return words
    }

    /// Letters of ASCII, the underscore, and whatever is beyond ASCII, which in code are letters of other scripts.
    private static func isLetter(_ byte: UInt8) -> Bool {
        byte >= 0x61 && byte <= 0x7A || byte >= 0x41 && byte <= 0x5A || byte == 0x5F || byte >= 0x80
    }
}

@Suite("Dependencies between the folders of a target", .timeLimit(.minutes(5)))
struct FolderArrowTests {
    @Test("Each file of MartletCore names only what its own folder and the folders before it declare")
    func core() throws {
        let files = try Repository.swiftCode(under: "Sources/MartletCore")
        #expect(files.count > 30)
        #expect(FolderArrows.violations(in: files, folders: FolderArrows.folders) == [])
    }

    @Test("Each file of MartletGraphQL names only what its own folder and the folders before it declare")
    func graphQL() throws {
        let files = try Repository.swiftCode(under: "Sources/MartletGraphQL")
        #expect(files.count > 20)
        #expect(FolderArrows.violations(in: files, folders: FolderArrows.graphQLFolders) == [])
    }

    @Test("A type, an extension and a function of a later folder are found, with the file and the name")
    func finding() {
        let files = [
            "Sources/Core/A/One.swift": "struct One { var two: Two? }\nextension Three {}\nfunc one() { three() }",
            "Sources/Core/A/Four.swift": "public func four() -> String { \"\\(Two.self)\" }",
            "Sources/Core/B/Two.swift": "public final class Two { let one: One }\nfunc three() {}",
            "Sources/Core/B/Three.swift": "@nonexhaustive public enum Three { case three(Two) }",
        ]
        let code = files.mapValues(SwiftCode.only)
        #expect(
            FolderArrows.violations(in: code, folders: ["A", "B"]) == [
                "Sources/Core/A/Four.swift names Two, of B", "Sources/Core/A/One.swift names Three, of B",
                "Sources/Core/A/One.swift names Two, of B", "Sources/Core/A/One.swift names three, of B",
            ])
        #expect(FolderArrows.violations(in: code, folders: ["B", "A"]) == ["Sources/Core/B/Two.swift names One, of A"])
    }

    @Test("Comments, strings, members, own types of the same name and what is private elsewhere are no arrows")
    func notFinding() {
        let files = [
            "Sources/Core/A/One.swift": """
            /// See Two, and `three()`.
            struct One { let text = "Two"; let kind = Kind.Two; func call(two: Int) { self.three(); _ = two } }
            enum Kind { case Two; struct Four {}; let four: Four; let five: Five }
            private struct Five {}
            """,
            "Sources/Core/B/Two.swift": "struct Two {}\nfunc three() {}\nstruct Four {}\nstruct Five {}\nprivate struct One {}",
        ]
        let code = files.mapValues(SwiftCode.only)
        #expect(FolderArrows.violations(in: code, folders: ["A", "B"]) == ["Sources/Core/A/One.swift names Two, of B"])
        let mended = code.mapValues { $0.replacing("case Two;", with: "case two;") }
        #expect(FolderArrows.violations(in: mended, folders: ["A", "B"]) == [])
    }

    @Test("A file beside the folders, or in one that is not in the list, is found")
    func places() {
        let files = ["Sources/Core/Loose.swift": "", "Sources/Core/Utils/Old.swift": "", "Sources/Core/A/Fine.swift": ""]
        #expect(
            FolderArrows.violations(in: files, folders: ["A"]) == [
                "Sources/Core/Loose.swift is in no folder of the list", "Sources/Core/Utils/Old.swift is in no folder of the list",
            ])
    }
}
