import Foundation
import Testing

@Suite("The list of examples", .timeLimit(.minutes(5)))
struct ExampleListTests {
    @Test("Examples/README.md lists every example program, and each program has its server in a separate file")
    func table() throws {
        let readme = try Repository.text(of: "Examples/README.md"), files = try Repository.files(under: "Examples/Sources").keys
        let programs = files.filter { $0.hasSuffix("/main.swift") }.map { $0.split(separator: "/")[2] }
        #expect(programs.count > 10)
        for program in programs {
            #expect(readme.contains("[`\(program)`](Sources/\(program)/main.swift)"), "\(program)")
            #expect(files.contains("Examples/Sources/\(program)/Server.swift"), "\(program)")
        }
        #expect(readme.ranges(of: "/main.swift)").count == programs.count)
    }
}
