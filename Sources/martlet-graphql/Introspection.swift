import GeneratorCommand
import Martlet
import MartletEssentials
import MartletGraphQL
import MartletGraphQLSchema

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
            secrets += [value] + variables
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
        // A server may repeat a token in its message.
        let text = secrets.reduce("\(error)") { $0.replacing($1, with: "…") }
        return .invalid("\(url.host ?? "the server") did not return its schema: \(text)", status: 69)
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
