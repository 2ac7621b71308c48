public import MartletGraphQL

/// A mistake in a document, found with the schema, and its position in the document's text.
public struct GraphQLViolation: Sendable, Hashable, CustomStringConvertible {
    /// The violated rule.
    public let rule: GraphQLRule
    /// The mistake.
    public let message: String
    /// What may have been meant, such as `did you mean "name"?`.
    public let hint: String?
    /// The line, starting at 1.
    public let line: Int
    /// The column in Unicode scalars, starting at 1.
    public let column: Int

    /// Creates a violation at a position of a document.
    public init(rule: GraphQLRule, message: String, hint: String? = nil, line: Int, column: Int) {
        self.rule = rule
        self.message = message
        self.hint = hint
        self.line = line
        self.column = column
    }

    /// The position, the message and the hint, such as `3:14: the type "Hero" has no field "nmae" (did you mean "name"?)`.
    public var description: String { "\(line):\(column): \(message)\(hint.map { " (\($0))" } ?? "")" }
}

extension GraphQLDocument {
    /// Returns the violations of the specification's rules in the order of the text, which are none if the document is valid.
    ///
    /// ```swift
    /// let schema = try GraphQLSchema(sdl: "type Query { hero: String }")
    /// let document: GraphQLDocument = "{ heroo }"
    /// print(document.violations(in: schema))   // [1:3: the type "Query" has no field "heroo" (did you mean "hero"?)]
    /// ```
    ///
    /// A syntax error is the only violation. Otherwise each mistake is reported, and what follows from a mistake is not: the fields of an
    /// unknown type, for example. At most 100 violations are returned. The time is linear in the size of the document, except for fields
    /// with the same name in the response and for fragments of several operations; there the work is limited.
    public func violations(in schema: GraphQLSchema) -> [GraphQLViolation] {
        switch parsed {
        case .success(let document): return DocumentValidator.violations(of: document, in: schema)
        case .failure(let problem):
            // Some problems are violations of rules that need no schema: then all violations are found in the text.
            let document = try? ExecutableDocument.parse(text)
            let found = document.map { DocumentValidator.violations(of: $0, in: schema) } ?? []
            // An operation in one of the document's fragments is valid as text.
            return found.isEmpty ? [GraphQLViolation(problem)] : found
        }
    }

    /// Returns whether the document violates no rule of the specification.
    public func isValid(in schema: GraphQLSchema) -> Bool {
        guard case .success(let document) = parsed else { return false }
        return DocumentValidator.violations(of: document, in: schema, limits: ValidationLimits(violations: 1)).isEmpty
    }
}

extension GraphQLViolation {
    init(_ error: GraphQLSyntaxError) {
        self.init(rule: .syntax, message: error.message, line: error.line, column: error.column)
    }
}

/// The limits for validating a document. They bound the time that any document can take.
package struct ValidationLimits: Sendable, Hashable {
    /// The maximum number of violations. The rest of the document is not checked.
    package let violations: Int
    /// The maximum number of comparisons of fields with the same name in the response, and of variables of fragments that several
    /// operations share.
    package let work: Int
    /// The rules whose violations are not reported and not counted.
    package let ignored: Set<GraphQLRule>

    package init(violations: Int = 100, work: Int = 1_000_000, ignored: Set<GraphQLRule> = []) {
        self.violations = violations
        self.work = work
        self.ignored = ignored
    }
}
