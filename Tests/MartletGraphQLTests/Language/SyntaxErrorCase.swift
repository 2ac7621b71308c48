import MartletGraphQL
import Testing

/// A document that is refused, and what is said of it.
struct SyntaxErrorCase: Sendable, CustomTestStringConvertible {
    let text: String
    let expected: String

    init(_ text: String, _ expected: String) {
        self.text = text
        self.expected = expected
    }

    var testDescription: String { text }

    /// What is said of it, or nil when it is not refused.
    var found: String? {
        do throws(GraphQLSyntaxError) {
            _ = try ExecutableDocument.parse(text)
            return nil
        } catch {
            return error.description
        }
    }
}
