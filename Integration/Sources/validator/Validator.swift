import Foundation
import MartletGraphQL
import MartletGraphQLSchema

/// Validates documents for Integration/graphql/compare.py.
///
/// Each line of the input is an object with the SDL of a schema and its documents. The line of output for it has the violations of each
/// document, as rule, line and column.
@main
enum Validator {
    private struct Input: Decodable {
        let sdl: String
        let documents: [String]
    }

    private struct Output: Encodable {
        var error: String?
        var violations: [[Found]] = []
    }

    private struct Found: Encodable {
        let rule: String
        let text: String
    }

    static func main() throws {
        while let line = readLine() {
            let input = try JSONDecoder().decode(Input.self, from: Data(line.utf8))
            print(String(decoding: try JSONEncoder().encode(output(for: input)), as: UTF8.self))
            fflush(nil)
        }
    }

    private static func output(for input: Input) -> Output {
        do {
            let schema = try GraphQLSchema(sdl: input.sdl)
            let violations = input.documents.map { GraphQLDocument($0).violations(in: schema) }
            return Output(violations: violations.map { $0.map { Found(rule: $0.rule.rawValue, text: $0.description) } })
        } catch {
            return Output(error: "\(error)")
        }
    }
}
