import CommandLineSupport
import Foundation
import Testing

@Suite("The arguments of a program", .timeLimit(.minutes(1)))
struct ProgramTests {
    let program = Program(
        "search", "Searches.", options: [.flag("--offline", "No network."), .value("--limit", "N", "The number.")], operands: "QUERY")

    @Test("Options and operands are read in any order")
    func options() throws {
        let arguments = try program.parse(["swift", "--limit", "5", "--offline", "http", "--base-url", "http://127.0.0.1:1/v1"])
        #expect(arguments.operands == ["swift", "http"] && arguments.has("--offline"))
        #expect(try arguments.number("--limit", default: 9) == 5 && arguments["--cache"] == nil)
        #expect(arguments.baseURL == URL(string: "http://127.0.0.1:1/v1"))
    }

    @Test("A wrong argument is named", arguments: ["--ofline", "--limit", "--base-url api.example.com", "--base-url"])
    func wrong(_ text: String) {
        let words = text.split(separator: " ").map(String.init)
        let error = #expect(throws: UsageError.self) { try program.parse(words) }
        #expect(error?.message.contains(words[0]) == true)
    }

    @Test("A number must be positive, and a program without operands accepts none")
    func limits() throws {
        let arguments = try program.parse(["--limit", "0"])
        #expect(throws: UsageError.self) { try arguments.number("--limit", default: 9) }
        #expect(throws: UsageError.self) { try Program("chat", "Chats.").parse(["hello"]) }
    }

    @Test("The usage lists every option")
    func usage() {
        for name in ["--offline", "--limit N", "--base-url URL", "--help"] { #expect(program.usage.contains(name)) }
    }
}
