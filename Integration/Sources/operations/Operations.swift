import Foundation
import Martlet
import MartletGraphQL
import MartletTesting

/// Decodes responses as generated operations, for Integration/graphql/operations.py, which writes the folder Generated.
///
/// Each line of the input is an object with the name of an operation and its data. The line of output for it has the strings and numbers of
/// the decoded value, or an error.
@main
enum Operations {
    private struct Input: Decodable {
        let operation: String
        let data: JSONValue
    }

    private struct Output: Encodable {
        var error: String?
        var leaves: Set<String> = []
    }

    static func main() async throws {
        let cases = Dictionary(Case.all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        while let line = readLine() {
            let input = try JSONBodyDecoder().decode(Input.self, from: Data(line.utf8))
            var output = Output()
            do {
                guard let found = cases[input.operation] else { throw CocoaError(.fileNoSuchFile) }
                collect(try await found.decode(input.data), &output.leaves)
            } catch {
                output.error = "\(error)"
            }
            print(String(decoding: try JSONEncoder().encode(output), as: UTF8.self))
        }
    }

    /// Adds the strings and numbers in a value.
    private static func collect(_ value: Any, _ leaves: inout Set<String>) {
        switch value {
        case let value as String: leaves.insert(value)
        case let value as GraphQLID: leaves.insert(value.rawValue)
        case let value as Int: leaves.insert("\(value)")
        case let value as Double: leaves.insert("\(value)")
        case is Bool: break
        case let value as any RawRepresentable where value.rawValue is String: leaves.insert("\(value.rawValue)")
        default: for child in Mirror(reflecting: value).children { collect(child.value, &leaves) }
        }
    }
}

/// A generated operation.
struct Case: Sendable {
    let name: String
    let decode: @Sendable (JSONValue) async throws -> any Sendable

    init<Operation: GraphQLOperationDefinition>(_ name: String, _ type: Operation.Type) {
        self.name = name
        decode = { data in
            let body: JSONValue = ["data": data]
            let http = HTTPClient(baseURL: URL(string: "https://h.example"), transport: MockTransport(.json("\(body)")))
            guard Operation.kind != .subscription else {
                return try JSONBodyDecoder().decode(Operation.Data.self, from: Data("\(data)".utf8))
            }
            return try await GraphQLClient(http).execute(GraphQLOperation<Operation.Data>(Operation.document))
        }
    }
}
