import GeneratorCommand
import Testing

@Suite("ArgumentSyntax", .timeLimit(.minutes(5)))
struct ArgumentSyntaxTests {
    private let syntax = ArgumentSyntax(flags: ["--force", "-h"], values: ["--name", "--file"], repeatable: ["--file"])

    @Test("Flags, values and positions keep their order")
    func order() throws {
        let parsed = try syntax.parse(["a", "--file", "x", "--force", "--file=y=z", "-", "--name=n", "--", "--force", "-x"])
        #expect(
            parsed == [
                .position("a"), .value("x", option: "--file"), .flag("--force"), .value("y=z", option: "--file"), .position("-"),
                .value("n", option: "--name"), .position("--force"), .position("-x"),
            ])
    }

    @Test(
        "Invalid arguments say which",
        arguments: [
            (["--none"], "unknown option --none"), (["--name"], "--name needs a value"), (["--name="], "--name needs a value"),
            (["--force=1"], "--force has no value"), (["--name", "a", "--name=b"], "--name is given twice"),
        ])
    func invalid(arguments: [String], reason: String) {
        let error = #expect(throws: CommandError.self) { try syntax.parse(arguments) }
        #expect(error?.status == 64 && error?.description == reason + ". --help shows the options")
    }

    @Test("A number is within its range")
    func numbers() throws {
        #expect(try ArgumentSyntax.number("--size", "5", 1...5) == 5)
        for text in ["6", "0", "x", "1.5", ""] {
            #expect(throws: CommandError.self) { try ArgumentSyntax.number("--size", text, 1...5) }
        }
    }
}
