import Foundation
import Testing

@testable import EndpointGenerator

@Suite("Generated sources", .timeLimit(.minutes(5)))
struct GeneratedSourceTests {
    private func text(_ endpoint: GeneratedEndpoint, _ name: String) throws -> String {
        try #require(endpoint.files.first { $0.name == name }).text
    }

    @Test("A new repository is a protocol and a struct; an existing one gets an extension in a file of its own")
    func repositories() throws {
        let new = try plan("GET", "/things/{id}", ["{\"a\":1}"]).generate()
        #expect(new.files.map(\.name) == ["GetThing.swift", "ThingsRepository.swift", "GetThingTests.swift"])
        let existing = try plan("DELETE", "/things/{id}").generate(existingRepository: try text(new, "ThingsRepository.swift"))
        #expect(existing.files.map(\.name) == ["DeleteThing.swift", "ThingsRepository+DeleteThing.swift", "DeleteThingTests.swift"])
        let step = "Repository: add to the protocol ThingsRepository:\n    func deleteThing(id: String) async throws(HTTPError)"
        #expect(existing.checklist.contains(step))
    }

    @Test("An app's own repository is extended with the name of its client")
    func ownRepository() throws {
        let own = "final class ThingsRepository {\n    let http: any HTTPClientProtocol\n}\n"
        let endpoint = try plan("GET", "/things/{id}", ["{\"a\":1}"]).generate(existingRepository: own)
        let file = try text(endpoint, "ThingsRepository+GetThing.swift")
        #expect(file.contains("extension ThingsRepository {") && file.contains("try await http.send(GetThing(id: id))"))
        #expect(try text(endpoint, "GetThingTests.swift").contains("ThingsRepository(http: mock).getThing("))
        #expect(!endpoint.checklist.contains { $0.hasPrefix("Repository") })
    }

    @Test("A repository with the method, or without a known type, is left alone, and the test sends the endpoint")
    func untouched() throws {
        for (source, word) in [("struct HTTPThingsRepository { func getThing(id: String) {} }", "already"), ("enum X {}", "Add by hand")] {
            let endpoint = try plan("GET", "/things/{id}", ["{\"a\":1}"]).generate(existingRepository: source)
            #expect(endpoint.files.map(\.name) == ["GetThing.swift", "GetThingTests.swift"])
            #expect(try text(endpoint, "GetThingTests.swift").contains("mock.send(GetThing("))
            #expect(endpoint.checklist.contains { $0.hasPrefix("Repository") && $0.contains(word) })
        }
    }

    @Test("A method in a file of its own can't use a private client, and a test can't create every repository")
    func otherRepositories() throws {
        func files(_ members: String) throws -> [GeneratedFile] {
            let own = "struct ThingsRepository {\n\(members)\n}\n"
            return try plan("GET", "/things/{id}", ["{\"a\":1}"]).generate(existingRepository: own).files
        }
        #expect(try files("    private let http: any HTTPClientProtocol").count == 2)
        for members in [
            "    let http: HTTPClient", "    let http: any HTTPClientProtocol\n    let base: Int",
            "    let http: any HTTPClientProtocol\n    init(_ http: any HTTPClientProtocol) { self.http = http }",
        ] {
            let files = try files(members)
            #expect(files.map(\.name) == ["GetThing.swift", "ThingsRepository+GetThing.swift", "GetThingTests.swift"], "\(members)")
            #expect(files.last?.text.contains("mock.send(GetThing(id:") == true, "\(members)")
        }
    }

    @Test("The same command twice writes the same test")
    func idempotent() throws {
        let plan = try plan("GET", "/things/{id}", ["{\"a\":1}"]) { $0.query = "page=1" }
        let first = plan.generate(), second = plan.generate(existingRepository: try text(first, "ThingsRepository.swift"))
        #expect(second.files == first.files.filter { $0.name != "ThingsRepository.swift" })
        #expect(second.checklist == first.checklist)
    }

    @Test("Calls and queries with many parameters have one in each line")
    func manyParameters() throws {
        let files = try plan("GET", "/things/{id}") { $0.query = (1...30).map { "parameter\($0)=1" }.joined(separator: "&") }.generate()
            .files
        let names = [
            "        try await client.send(", "            GetThing(", "                id: id,", "                parameter1: parameter1,",
        ]
        #expect(files[1].text.contains(names.joined(separator: "\n")))
        #expect(files[0].text.contains("            \"parameter30\": parameter30,\n        ]\n"))
        #expect(files[2].text.contains("request.target == target") && files[2].text.split(separator: "\n").allSatisfy { $0.count <= 140 })
    }

    @Test("A combining mark after a hash or quote doesn't change how the compiler reads a literal")
    func combiningMarks() throws {
        let json = ##"{"a":"\\#\u0301(x)","b":"\"\u0301","c":5e-324,"d":"e\u0301"}"##
        let test = try text(try plan("GET", "/things", [json]).generate(), "ListThingsTests.swift")
        #expect(test.contains("let responseSample = ##\"\"\"\n"))
        #expect(test.contains("response.d ==") && !test.contains("response.b ==") && !test.contains("response.c =="))
    }

    @Test("The test of a long sample keeps two elements of each array, and its types are those of the whole sample")
    func longSamples() throws {
        let elements = (1...400).map { "{\"n\":\($0 == 400 ? "1.5" : "1"),\"more\":[1,2,3]}" }.joined(separator: ",")
        let endpoint = try plan("GET", "/things", ["[\(elements)]"]).generate()
        #expect(endpoint.files[0].text.contains("let n: Double"))
        let test = try text(endpoint, "ListThingsTests.swift")
        #expect(test.contains("#expect(response.count == 2)") && test.utf8.count < 4_000)
    }

    @Test("Samples, paths and queries can't add code or hide text")
    func injection() throws {
        let json = ##"{"a\"; import Evil //":"x\"\"\"#; fatalError() \\#(evil) \u202e","`b`\n\u2028c":1}"##
        let files = try plan("GET", "/things", [json]) { $0.query = "a%22;evil()=%22%5C(evil)%0A" }.generate().files
        let all = files.map(\.text).joined()
        #expect(!all.contains("\u{202E}") && !all.contains("\u{2028}"))
        #expect(!all.split(separator: "\n").contains { $0.trimmingCharacters(in: .whitespaces).hasPrefix("import Evil") })
        #expect(all.contains(#"case aImportEvil = "a\"; import Evil //""#))
        #expect(all.contains(#"["a\";evil()": aEvil]"#))
        #expect(all.contains(#"aEvil: "\"\\(evil)\n""#))
    }

    @Test("Public sources have public imports, comments and initializers")
    func publicSources() throws {
        let json = #"{"a":{"b":"2026-01-01T00:00:00Z"},"c":null}"#
        let files = try plan("GET", "/things/{id}", [json]) { $0.isPublic = true }.generate().files
        for file in files where !file.isTest {
            let lines = file.text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            let imports = lines.filter { $0.contains("import ") }
            #expect(imports.allSatisfy { $0.hasPrefix("public import ") })
            for (index, line) in lines.enumerated() where line.hasPrefix("public ") && !line.contains("import ") {
                #expect(lines[index - 1].hasPrefix("///"), "\(file.name): \(line)")
            }
        }
        #expect(files[0].text.contains("public init(a: A, c: JSONValue? = nil) {"))
    }

    @Test("Each type and extension of a nonisolated endpoint says so")
    func nonisolated() throws {
        let files = try plan("POST", "/things", ["[{\"a_b\":{\"c\":1},\"s\":\"x\"}]"], bodies: ["{\"d\":1}"]) {
            $0.isNonisolated = true
            $0.enums = ["s"]
        }.generate().files
        for file in files where !file.isTest {
            for line in file.text.split(separator: "\n") where line.hasSuffix("{") {
                for keyword in ["struct ", "enum ", "protocol ", "extension "] where line.contains(keyword) {
                    #expect(line.contains("nonisolated \(keyword)"), "\(line)")
                }
            }
        }
    }

    @Test("Generated lines have at most 100 characters, unless a name is longer")
    func width() throws {
        let members = (1...20).map { "\"member_\($0)\":\($0)" }.joined(separator: ",")
        let plan = try plan("POST", "/things/{first}/{second}/{third}", ["{\(members)}"], bodies: ["{\(members)}"]) {
            $0.isPublic = true
            $0.query = (1...12).map { "parameter\($0)=\($0)" }.joined(separator: "&")
        }
        for file in plan.generate().files {
            for line in file.text.split(separator: "\n") where !line.contains("request.target") { #expect(line.count <= 100, "\(line)") }
        }
    }

    @Test("The checklist has only the steps that remain")
    func checklist() throws {
        let get = try plan("GET", "/things/{id:Int}", ["{\"a\":1}"]).generate().checklist
        #expect(get.map { $0.prefix { $0 != ":" } } == ["Errors", "Logging and analytics", "Cache", "Timeout", "Tests"])
        let post = try plan("POST", "/things/{id}", ["{\"a\":1.5}"]) { $0.query = "a=1" }.generate().checklist
        #expect(
            post.map { $0.prefix { $0 != ":" } } == [
                "Path", "Response", "Idempotency", "Query", "Errors", "Logging and analytics", "Timeout", "Tests",
            ])
    }
}
