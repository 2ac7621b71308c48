import MartletGraphQL

/// The rules for directives (GraphQL, September 2025, §5.7), and for the labels of `@defer` and `@stream`.
struct DirectiveRules {
    private let context: ValidationContext
    private let arguments: ArgumentRules
    private var labels: Set<String> = []

    init(_ context: ValidationContext) {
        self.context = context
        arguments = ArgumentRules(context)
    }

    mutating func check(_ directives: [Directive], at location: DirectiveLocation, _ used: inout [VariableUsage]) {
        var seen: Set<String> = []
        for directive in directives {
            let definition = context.schema.directives[directive.name]
            if let definition {
                if !definition.locations.contains(location.rawValue) {
                    let message = "the directive \"@\(directive.name)\" is not allowed \(location.text)"
                    context.report(.knownDirectives, message, at: directive.place)
                }
                if !definition.isRepeatable, !seen.insert(directive.name).inserted {
                    let message = "the directive \"@\(directive.name)\" may occur only once here"
                    context.report(.uniqueDirectivesPerLocation, message, at: directive.place)
                }
            } else {
                let names = context.schema.directives.keys.sorted()
                context.report(
                    .knownDirectives, "the schema has no directive \"@\(directive.name)\"",
                    hint: NameHints.question(for: directive.name, among: names, prefix: "@"), at: directive.place)
            }
            arguments.check(directive, definition, &used)
            if directive.isIncremental { checkLabel(of: directive) }
        }
    }

    private mutating func checkLabel(of directive: Directive) {
        guard let label = directive.argument("label") else { return }
        switch label.value {
        case .null: break
        case .string(let text):
            if labels.insert(text).inserted { return }
            context.report(.deferStreamDirectiveLabel, "there are two labels \(Token.quoted(text))", at: label.place)
        default:
            let message = "the label of \"@\(directive.name)\" must be a string, found \(label.value.found)"
            context.report(.deferStreamDirectiveLabel, message, at: label.place)
        }
    }
}

extension Directive {
    var isIncremental: Bool { name == "defer" || name == "stream" }

    func argument(_ name: String) -> Argument? { arguments.first { $0.name == name } }
}
