internal import MartletHTTP

/// An input that no endpoint can be generated from. Its text says what to change.
package enum GeneratorError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The method is not one that a client can send.
    case unknownMethod(String)
    /// The method has no request body, but there is a sample of one.
    case unexpectedBody(method: String)
    /// The response to the method has no body, but there is a sample of one.
    case unexpectedResponse(method: String)
    /// The path template is invalid. `column` starts at 1.
    case invalidPath(String, column: Int, reason: String)
    /// The sample query is invalid.
    case invalidQuery(String, reason: String)
    /// The name is not that of a Swift type.
    case invalidName(String, option: String)
    /// The name is not that of a module.
    case invalidModule(String)
    /// Two types or files would have this name.
    case repeatedName(String)
    /// The response has no object that a type could be declared for.
    case unusedModel(String)
    /// The sample has no value.
    case emptySample(file: String)
    /// The sample is not JSON. The line and the column start at 1.
    case invalidSample(file: String, line: Int, column: Int, reason: String)
    /// The sample is nested deeper than the limit.
    case tooDeep(file: String, line: Int, column: Int, limit: Int)

    /// The objects of the samples have too many different members.
    case tooManyMembers(path: String, limit: Int)

    /// Whether a sample is at fault, and not an argument.
    package var isInSample: Bool {
        switch self {
        case .emptySample, .invalidSample, .tooDeep, .tooManyMembers: true
        default: false
        }
    }

    /// The error in words.
    package var description: String {
        switch self {
        case .unknownMethod(let method):
            "unknown method \"\(method)\": use \(EndpointMethod.all.map(\.rawValue).joined(separator: ", "))"
        case .unexpectedBody(let method): "a \(method) request has no body: leave out --body"
        case .unexpectedResponse(let method): "the response to \(method) has no body: leave out --response and --model"
        case .invalidPath(let path, let column, let reason): "the path \(path) is invalid at column \(column): \(reason)"
        case .invalidQuery(let query, let reason): "the query \(query) is invalid: \(reason)"
        case .invalidName(let name, let option):
            "\(option): \"\(name)\" can't be the name of a type. Use letters and digits, begin with a capital letter, and avoid names of "
                + "Swift, Foundation and Martlet"
        case .invalidModule(let name): "--module: \"\(name)\" can't be the name of a module. Use letters, digits and _"
        case .repeatedName(let name): "two types would have the name \(name): choose others with --name, --model and --repository"
        case .unusedModel(let name): "--model \(name): the response has no objects, so there is no type to declare"
        case .emptySample(let file): "\(file): the sample is empty. For a response without a body, leave out --response"
        case .invalidSample(let file, let line, let column, let reason):
            "\(file):\(line):\(column): the sample is not valid JSON: \(reason)"
        case .tooDeep(let file, let line, let column, let limit):
            "\(file):\(line):\(column): the sample has more than \(limit) levels of arrays and objects. Set --max-depth"
        case .tooManyMembers(let path, let limit):
            "the samples have more than \(limit) different members, up to those of \(path.isEmpty ? "the document" : SourceText.shortComment(path)). "
                + "Leave members out, or make their object a dictionary with --dictionary"
        }
    }
}
