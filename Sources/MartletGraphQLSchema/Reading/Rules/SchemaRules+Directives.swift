internal import MartletGraphQL

extension SchemaRules {
    /// Checks the directives on the definitions of SDL (GraphQL, September 2025, §3.13).
    mutating func checkUses() {
        var hints = NameHints(directives.keys.sorted()), used: Set<String> = []
        for use in definitions.uses where !isFull {
            let name = use.directive.name, place = use.directive.place
            guard let definition = directives[name] else {
                report("the directive \"@\(name)\" on \"\(use.owner)\" is not defined\(hints.text(for: name, prefix: "@"))", at: place)
                continue
            }
            if !definition.locations.contains(use.location) {
                let allowed = definition.locations.sorted().joined(separator: ", ")
                report("the directive \"@\(name)\" can't be on \(use.location) (\"\(use.owner)\"), but on \(allowed)", at: place)
            }
            if !used.insert("\(use.owner) \(name)").inserted, !definition.isRepeatable {
                report("the directive \"@\(name)\" is on \"\(use.owner)\" twice, and is not repeatable", at: place)
            }
            check(use.directive.arguments, of: definition, on: use)
        }
    }

    private mutating func check(_ arguments: [Argument], of definition: DirectiveDefinition, on use: SchemaDefinitions.DirectiveUse) {
        let directive = "@\(definition.name)"
        var seen: Set<String> = [], hints = NameHints(definition.arguments.map(\.name))
        for argument in arguments {
            let coordinate = "\(directive)(\(argument.name):)"
            if !seen.insert(argument.name).inserted { report("\"\(coordinate)\" is given twice", at: argument.place) }
            guard let known = definition.arguments.first(where: { $0.name == argument.name }) else {
                let hint = hints.text(for: argument.name)
                report("the directive \"\(directive)\" has no argument \"\(argument.name)\"\(hint)", at: argument.place)
                continue
            }
            check(argument.value, of: known.type, "the value of \"\(coordinate)\"", at: argument.place)
        }
        for argument in definition.arguments where argument.isRequired && !seen.contains(argument.name) {
            report("\"\(directive)(\(argument.name):)\" is required, and missing on \"\(use.owner)\"", at: use.directive.place)
        }
    }
}
