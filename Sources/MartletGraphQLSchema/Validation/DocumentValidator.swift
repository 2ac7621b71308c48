package import MartletGraphQL

/// Validates a document against a schema: first the rules about definitions and their names, then all selections in one pass that follows
/// their types, then the rules that need the whole document.
package enum DocumentValidator {
    /// Returns the violations in the order of the text.
    ///
    /// - Parameter describe: Returns the text for a second position, which a message names. For documents of several files it can have the
    ///   name of the file. Default: line and column, such as `3:14`.
    package static func violations(
        of document: ExecutableDocument, in schema: GraphQLSchema, limits: ValidationLimits = ValidationLimits(),
        describingPlaces describe: @escaping (SourcePlace) -> String = { "\($0.line):\($0.column)" }
    ) -> [GraphQLViolation] {
        let context = ValidationContext(document, in: schema, limits: limits, describe: describe)
        for violation in DocumentRules.violations(in: document, atMost: limits.violations) {
            context.report(GraphQLRule(violation.rule), violation.message, hint: hint(for: violation, document), at: violation.place)
        }
        var walk = DocumentWalk(context)
        walk.visit()
        FragmentUseRules(context).check(usages: walk.usages)
        OperationRules(context).check()
        var merging = walk.merging
        merging.check()
        return context.sorted
    }

    private static func hint(for violation: DocumentRules.Violation, _ document: ExecutableDocument) -> String? {
        switch violation.rule {
        case .knownFragmentNames: return NameHints.question(for: violation.name, among: document.fragments.map(\.name))
        case .noUndefinedVariables:
            let names = document.operations.flatMap(\.variables).map(\.name)
            return NameHints.question(for: violation.name, among: names, prefix: "$")
        default: return nil
        }
    }
}
