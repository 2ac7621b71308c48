import Testing

@testable import MartletGraphQL

/// An invalid document and its expected message.
struct SyntaxErrorCase: Sendable, CustomTestStringConvertible {
    let text: String
    let expected: String

    init(_ text: String, _ expected: String) {
        self.text = text
        self.expected = expected
    }

    var testDescription: String { text }

    /// The actual message, or nil if the document is valid.
    var found: String? {
        do throws(GraphQLSyntaxError) {
            _ = try ExecutableDocument.parse(text)
            return nil
        } catch {
            return error.description
        }
    }
}
