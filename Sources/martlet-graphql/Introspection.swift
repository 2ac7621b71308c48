import GeneratorCommand
import Martlet
import MartletEssentials
import MartletGraphQL
import MartletGraphQLSchema
import MartletHTTP

/// Downloads the schema of a GraphQL service.
struct Introspection {
    private let url: URL
    private let headers: HTTPFields
    private let secrets: [String]
    private let maxSize: Int

    /// - Parameters:
    ///   - headers: Header fields, as `Name: value`. `$NAME` in a value stands for a variable of the environment.
    ///   - maxSize: The maximum number of bytes of the response.
    init(url: String, headers: [String], environment: [String: String], maxSize: Int) throws(CommandError) {
        guard let parsed = URL(string: url), ["http", "https"].contains(parsed.scheme?.lowercased()), parsed.host?.isEmpty == false else {
            throw .usage("--introspect needs a URL with http or https")
        }
        self.url = parsed
        self.maxSize = maxSize
        var fields = HTTPFields(), secrets: [String] = []
        for header in headers {
            let halves = header.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map { Self.trimmed($0) }
            let name = HTTPFieldName(halves[0])
            guard halves.count == 2, name.isValid else {
                throw .usage("--header needs a name and a value, such as 'Authorization: $TOKEN'")
            }
            let (value, variables) = try Self.expanded(halves[1], environment, of: halves[0])
            fields.append(name, value)
            fields.markAsCredential(name)
            // A value such as "Bearer abc" also has its parts.
            secrets += [value] + variables + value.split(separator: " ").filter { $0.utf8.count >= 8 }.map(String.init)
        }
        if let invalid = fields.firstInvalidLine { throw .usage("--header \(invalid.name): the value has a character that can't be sent") }
        self.headers = fields
        self.secrets = secrets.filter { !$0.isEmpty }.sorted { $0.utf8.count > $1.utf8.count }
    }

    /// Returns the response as JSON with line breaks. A server that refuses the newest fields is asked for the older ones.
    func response() async throws(CommandError) -> Data {
        do throws(GraphQLError) {
            return try await response(to: GraphQLSchema.introspectionQuery)
        } catch {
            guard case .response = error else { throw failure(error) }
            do throws(GraphQLError) {
                return try await response(to: GraphQLSchema.introspectionQueryForOlderServers)
            } catch { throw failure(error) }
        }
    }

    private func response(to query: String) async throws(GraphQLError) -> Data {
        let limits = ResponseLimits(bodyBytes: maxSize)
        let client = HTTPClient(configuration: HTTPClient.Configuration(limits: limits))
        let graphQL = GraphQLClient(client, url: url, configuration: GraphQLClient.Configuration(headers: headers))
        let data = try await graphQL.execute(GraphQLOperation<JSONValue>(GraphQLDocument(query)))
        var encoder = JSONBodyEncoder()
        encoder.outputFormatting = .prettyPrinted
        guard let json = try? encoder.encode(["data": data]) else { throw .invalidOperation("the response is nested too deeply") }
        return json + Data("\n".utf8)
    }

    private func failure(_ error: GraphQLError) -> CommandError {
        .invalid("\(url.host ?? "the server") did not return its schema: \(error)", status: 69)
    }

    /// Returns an error without the values of header fields, which the server may repeat in its response, and without control characters.
    func redacted(_ error: CommandError) -> CommandError {
        switch error {
        case .invalid(let reason, let status): .invalid(redacted(reason), status: status)
        case .mistakes(let lines, let status): .mistakes(lines.map(redacted), status: status)
        default: error
        }
    }

    private func redacted(_ text: String) -> String {
        // In bytes, because a combining mark after a secret would make its last character another one.
        let mark = Array("…".utf8)
        var bytes = Array(text.utf8)
        for secret in secrets.map({ Array($0.utf8) }) { bytes = Self.replacing(secret, in: bytes) }
        // A text that was truncated can end within a secret.
        var result: [UInt8] = [], rest = bytes[...]
        while let end = rest.firstRange(of: mark)?.lowerBound {
            result += rest[..<end]
            result.removeLast(secrets.map { Self.overlap(of: result, $0) }.max() ?? 0)
            result += mark
            rest = rest[(end + mark.count)...]
        }
        return Redaction.visible(String(decoding: result + rest, as: UTF8.self))
    }

    private static func replacing(_ secret: [UInt8], in text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [], rest = text[...]
        while let range = rest.firstRange(of: secret) {
            result += rest[..<range.lowerBound] + Array("…".utf8)
            rest = rest[range.upperBound...]
        }
        return result + rest
    }

    /// Returns the length of the longest start of a secret, of at least four bytes, that a text ends with.
    private static func overlap(of text: [UInt8], _ secret: String) -> Int {
        let secret = Array(secret.utf8), longest = min(text.count, secret.count)
        guard longest >= 4 else { return 0 }
        return (4...longest).last { text.suffix($0).elementsEqual(secret.prefix($0)) } ?? 0
    }

    /// Replaces `$NAME` and `${NAME}` by variables, and `$$` by `$`. Returns the values of the variables too.
    private static func expanded(
        _ text: String, _ environment: [String: String], of field: String
    ) throws(CommandError) -> (value: String, variables: [String]) {
        var rest = Substring(text), value = "", variables: [String] = []
        while let dollar = rest.firstIndex(of: "$") {
            value += rest[..<dollar]
            rest = rest[rest.index(after: dollar)...]
            if rest.hasPrefix("$") {
                value += "$"
                rest = rest.dropFirst()
                continue
            }
            let isBraced = rest.hasPrefix("{")
            let name = (isBraced ? rest.dropFirst() : rest).prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
            let end = isBraced ? "${\(name)}" : "$\(name)"
            guard !name.isEmpty, ("$" + rest).hasPrefix(end) else { throw .usage("--header \(field): \"$\" is not followed by a name") }
            guard let variable = environment[String(name)] else {
                throw .usage("--header \(field): the environment has no variable \(name)")
            }
            value += variable
            variables.append(variable)
            rest = rest.dropFirst(end.count - 1)
        }
        return (value + rest, variables)
    }

    private static func trimmed(_ text: Substring) -> String {
        let start = text.drop { $0 == " " || $0 == "\t" }
        return String(start.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
}
