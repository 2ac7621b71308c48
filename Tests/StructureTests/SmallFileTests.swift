import Testing

/// Why a source file of at most 40 code lines stands alone, where ``SmallFileTests`` finds no reason by rule.
private let reasons = [
    "EndpointGenerator/Paths/DerivedNames.swift": "the convention for names, apart from the text that has them",
    "EndpointGenerator/Types/SnakeCaseKeys.swift": "what a coder does with names, asked of the coder itself",
    "MartletClient/Client/HTTPError+Body.swift": "the bodies of errors, for callers and for the journey",
    "MartletCurl/Engine/CurlTransport+TaskExecutor.swift": "what apps call to run tasks on the engines",
    "MartletCurl/Settings/CurlTransport+Configuration.swift": "what libcurl's version allows of a configuration of any transport",
    "MartletFoundation/URLRequest+HTTPRequest.swift": "a conversion that apps call",
    "MartletHTTP/Messages/HTTPFields+ContentLength.swift": "a rule of messages with errors of a later folder than that of the fields",
    "MartletJSON/Values/JSONText+Values.swift": "text of values, which are in a later folder than the type",
    "MartletMockServer/Sockets/FailingPorts.swift": "two ports of one kind",
    "MartletMockServer/WebSockets/WebSocketStep+JSON.swift": "steps that compare JSON, which is in a later folder than the type",
    "MartletSystem/Descriptors/SystemCalls.swift": "names of the system's functions that no method hides",
    "MartletSystem/Threads/BeginTask.swift": "functions on tasks that differ by the version of the system",
    "MartletTransfers/Events/EndpointClient+Events.swift": "what apps call: the overloads for events",
    "MartletWire/Engine/LazyTeam.swift": "the start and the end of the engines",
    "MartletWebSocket/Opening/EndpointClient+WebSocket.swift": "what apps call: the overloads for WebSockets",
    "inspect/Inspect.swift": "the whole program",
    "MartletTesting/GraphQL/GraphQLClientMock+Schema.swift": "the checks against a schema, apart from responding",
    "martlet-endpoint/Help.swift": "the text of --help",
    "tour/Birds.swift": "what an app would contain, apart from the tour",
    "tour/Steps+GraphQL.swift": "the steps of one topic",
]

@Suite("Small files", .timeLimit(.minutes(5)))
struct SmallFileTests {
    /// Returns the source files of at most 40 code lines for which no rule has a reason.
    ///
    /// By rule, these stand alone: the description of a target; what is compiled on one platform only; a public or package type, under its
    /// name; a type that at least two other files of the target use, under its name; and a type under its name with a test file of its own.
    private static func unexplained(in sources: [String: String], testFiles: Set<String>) throws -> Set<String> {
        var unexplained: Set<String> = []
        var namesByTarget: [Substring: [(path: String, names: SwiftNames)]] = [:]
        for (path, text) in sources where Repository.codeLines(text) <= 40 {
            let parts = path.split(separator: "/"), target = parts[1], name = String(parts[parts.count - 1].dropLast(".swift".count))
            let names = SwiftNames(text)
            if name == target || isOnePlatforms(text) { continue }
            if names.declared.contains(name) {
                if testFiles.contains("\(name)Tests.swift") { continue }
                if text.contains(try Regex("(public|package) [a-z ]*(struct|class|enum|actor|protocol|typealias) \(name)\\b")) { continue }
                let others = namesByTarget[target] ?? sources.filter { $0.key.hasPrefix("Sources/\(target)/") }.map { ($0, SwiftNames($1)) }
                namesByTarget[target] = others
                if others.count(where: { $0.path != path && !$0.names.used.isDisjoint(with: names.declared) }) >= 2 { continue }
            } else if testFiles.contains("\(name)Tests.swift") {
                continue
            }
            unexplained.insert(String(path.dropFirst("Sources/".count)))
        }
        return unexplained
    }

    /// Whether all code of a file is within one condition of compilation.
    private static func isOnePlatforms(_ text: String) -> Bool {
        let lines = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
        return lines.first?.hasPrefix("#if ") == true && lines.last == "#endif" && lines.count { $0.hasPrefix("#if ") } == 1
    }

    @Test("A source file of at most 40 code lines has a reason to stand alone: by rule, or in the table of this file")
    func everyReason() throws {
        let tests = try Repository.files(under: "Tests").keys.compactMap { $0.split(separator: "/").last.map(String.init) }
        let sources = try Repository.files(under: "Sources")
        #expect(sources.values.count { Repository.codeLines($0) <= 40 } <= 200)
        let unexplained = try SmallFileTests.unexplained(in: sources, testFiles: Set(tests))
        #expect(unexplained.subtracting(reasons.keys).sorted() == [], "fold them into the file whose idea they belong to")
        #expect(Set(reasons.keys).subtracting(unexplained).sorted() == [], "these are gone, have grown, or have a reason by rule")
    }

    @Test("A small file of an internal type is explained by two users or by its tests, and a file of functions by its tests alone")
    func rules() throws {
        func unexplained(_ code: String, users: Int = 0, tests: Set<String> = []) throws -> Bool {
            var files = ["Sources/T/A/Small.swift": code]
            for user in 0..<users { files["Sources/T/B/\(user).swift"] = String(repeating: "let a: Small\n", count: 41) }
            return try !SmallFileTests.unexplained(in: files, testFiles: tests).isEmpty
        }
        #expect(try unexplained("struct Small {}") && unexplained("struct Small {}", users: 1))
        #expect(try !unexplained("struct Small {}", users: 2))
        #expect(try !unexplained("public struct Small {}") && !unexplained("package final class Small {}"))
        #expect(try unexplained("public struct Other {}") && unexplained("func small() {}"))
        #expect(try !unexplained("struct Small {}", tests: ["SmallTests.swift"]))
        #expect(try !unexplained("func small() {}", tests: ["SmallTests.swift"]))
        #expect(try !unexplained("#if os(Linux)\nstruct Other {}\n#endif"))
        #expect(try unexplained("import A\n#if os(Linux)\nimport B\n#endif"))
    }
}
