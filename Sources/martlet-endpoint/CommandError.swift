import EndpointGenerator

/// A reason why nothing was written.
enum CommandError: Error, CustomStringConvertible {
    /// The arguments are invalid.
    case usage(String)
    /// The options or samples are invalid.
    case generator(GeneratorError)
    /// A sample can't be read.
    case input(String, reason: String)
    /// A sample is larger than the limit.
    case tooLarge(String, limit: Int)
    /// These files exist already.
    case exists([String])
    /// A file or folder can't be written.
    case output(String, reason: String)

    /// The status with which the program exits (sysexits.h).
    var status: Int32 {
        switch self {
        case .usage: 64
        case .generator(let error): error.isInSample ? 65 : 64
        case .tooLarge: 65
        case .input: 66
        case .exists, .output: 73
        }
    }

    var description: String {
        switch self {
        case .usage(let reason): "\(reason). --help shows the options"
        case .generator(let error): error.description
        case .input(let file, let reason): "\(file) can't be read: \(reason)"
        case .tooLarge(let file, let limit): "\(file) has more than \(limit) bytes. Use a smaller sample, or set --max-size"
        case .exists(let files):
            "nothing was written, because these files exist (--force replaces them):\n  " + files.joined(separator: "\n  ")
        case .output(let file, let reason): "\(file) can't be written: \(reason)"
        }
    }
}
