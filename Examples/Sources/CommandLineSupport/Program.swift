import Foundation

/// A command-line program: its name, its purpose and its options. Every program also has `--base-url URL` and `--help`.
public struct Program: Sendable {
    /// An option of a program: a flag, or a name with a value.
    public struct Option: Sendable {
        let name: String
        let value: String?
        let help: String

        /// Returns an option without a value, such as `--offline`.
        public static func flag(_ name: String, _ help: String) -> Option { Option(name: name, value: nil, help: help) }

        /// Returns an option with a value, such as `--cache FILE`.
        public static func value(_ name: String, _ value: String, _ help: String) -> Option {
            Option(name: name, value: value, help: help)
        }
    }

    let name: String
    let purpose: String
    let operands: String?
    let options: [Option]

    /// Creates a program.
    ///
    /// - Parameters:
    ///   - purpose: One sentence for `--help`.
    ///   - options: The options besides `--base-url` and `--help`. Default: none.
    ///   - operands: The name of the arguments that are not options, such as `QUERY`. Default: nil, none are accepted.
    public init(_ name: String, _ purpose: String, options: [Option] = [], operands: String? = nil) {
        self.name = name
        self.purpose = purpose
        self.operands = operands
        let common: [Option] = [
            .value("--base-url", "URL", "The server. Default: a scripted server on loopback, with checks."),
            .flag("--help", "Prints this text."),
        ]
        self.options = options + common
    }

    /// The text that `--help` prints.
    public var usage: String {
        let names = options.map { option in option.value.map { "\(option.name) \($0)" } ?? option.name }
        let width = names.map(\.count).max() ?? 0
        let lines = zip(names, options).map { name, option in
            "  \(name.padding(toLength: width, withPad: " ", startingAt: 0))  \(option.help)"
        }
        let operands = operands.map { " [\($0)]" } ?? ""
        return "\(purpose)\n\nUsage: \(name) [OPTIONS]\(operands)\n\n\(lines.joined(separator: "\n"))"
    }

    /// Returns the arguments of this process. Prints the usage and exits for `--help`; exits with 64 if an argument is wrong.
    public func arguments() -> Arguments {
        do {
            let arguments = try parse(Array(CommandLine.arguments.dropFirst()))
            if arguments.has("--help") {
                print(usage)
                exit(EXIT_SUCCESS)
            }
            return arguments
        } catch {
            fail(error.message, code: 64)  // EX_USAGE
        }
    }

    /// Prints an error to standard error and exits.
    public func fail(_ message: String, code: Int32 = EXIT_FAILURE) -> Never {
        let hint = code == 64 ? "\nTry “\(name) --help”." : ""
        FileHandle.standardError.write(Data("\(name): \(message)\(hint)\n".utf8))
        exit(code)
    }

    /// Returns the parsed arguments, which do not include the name of the program.
    public func parse(_ words: [String]) throws(UsageError) -> Arguments {
        var arguments = Arguments(), rest = words[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("-") else {
                guard operands != nil else { throw UsageError("unexpected argument “\(word)”") }
                arguments.operands.append(word)
                continue
            }
            guard let option = options.first(where: { $0.name == word }) else { throw UsageError("unknown option “\(word)”") }
            if let name = option.value {
                guard let value = rest.popFirst() else { throw UsageError("\(word) needs a value: \(word) \(name)") }
                arguments.values[word] = value
            } else {
                arguments.values[word] = ""
            }
        }
        try arguments.readBaseURL()
        return arguments
    }
}

/// A mistake in the arguments of a program.
public struct UsageError: Error {
    /// The message for the user.
    public let message: String

    init(_ message: String) { self.message = message }
}
