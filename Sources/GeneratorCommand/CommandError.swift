internal import MartletEssentials
internal import MartletSystem

/// A reason why a program that generates code wrote nothing.
package enum CommandError: Error, Sendable, CustomStringConvertible {
    /// The arguments are invalid.
    case usage(String)
    /// The input is invalid, for a reason that is a sentence.
    case invalid(String, status: Int32)
    /// The input has mistakes, each with its file and line in a line of its own.
    case mistakes([String], status: Int32)
    /// A file can't be read.
    case input(String, reason: String)
    /// A file is larger than the limit.
    case tooLarge(String, limit: Int)
    /// These files exist already.
    case exists([String], advice: String)
    /// A file or folder can't be written.
    case output(String, reason: String)

    /// The status with which the program exits (sysexits.h).
    package var status: Int32 {
        switch self {
        case .usage: 64
        case .invalid(_, let status), .mistakes(_, let status): status
        case .tooLarge: 65
        case .input: 66
        case .exists, .output: 73
        }
    }

    package var description: String {
        switch self {
        case .usage(let reason): "\(reason). --help shows the options"
        case .invalid(let reason, _): reason
        case .mistakes(let lines, _): lines.joined(separator: "\n")
        case .input(let file, let reason): "\(file) can't be read: \(reason)"
        case .tooLarge(let file, let limit): "\(file) has more than \(limit) bytes. Use a smaller file, or set --max-size"
        case .exists(let files, let advice):
            "nothing was written, because these files exist (\(advice)):\n  " + files.joined(separator: "\n  ")
        case .output(let file, let reason): "\(file) can't be written: \(reason)"
        }
    }

    /// Prints the error to standard error, and exits with its status.
    package func exitProgram() -> Never {
        // Editors find the place of a mistake at the start of a line.
        let isList = if case .mistakes = self { true } else { false }
        Self.printLine("\(isList ? "" : "error: ")\(self)")
        exit(status)
    }

    /// Prints a line to standard error.
    package static func printLine(_ line: String) {
        let text = Array("\(line)\n".utf8)
        _ = write(2, text, text.count)
    }
}
