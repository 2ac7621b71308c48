/// The options that a program knows. An option's value follows it, or stands after an equals sign. `--` ends the options.
package struct ArgumentSyntax: Sendable {
    /// The options without a value.
    private let flags: Set<String>
    /// The options with a value.
    private let values: Set<String>
    /// The options with a value that may be given several times.
    private let repeatable: Set<String>

    package init(flags: Set<String>, values: Set<String>, repeatable: Set<String>) {
        self.flags = flags
        self.values = values
        self.repeatable = repeatable
    }

    package enum Argument: Sendable, Hashable {
        case flag(String)
        case value(String, option: String)
        case position(String)
    }

    /// Returns arguments in their order. They are without the program's name.
    package func parse(_ arguments: [String]) throws(CommandError) -> [Argument] {
        var rest = arguments[...], parsed: [Argument] = [], onlyPositions = false, given: Set<String> = []
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("-"), argument != "-", !onlyPositions else {
                parsed.append(.position(argument))
                continue
            }
            if argument == "--" {
                onlyPositions = true
                continue
            }
            let halves = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init), option = halves[0]
            if flags.contains(option) {
                if halves.count == 2 { throw .usage("\(option) has no value") }
                parsed.append(.flag(option))
                continue
            }
            guard values.contains(option) else { throw .usage("unknown option \(option)") }
            let value = halves.count == 2 ? halves[1] : rest.popFirst()
            guard let value, !value.isEmpty else { throw .usage("\(option) needs a value") }
            guard repeatable.contains(option) || given.insert(option).inserted else { throw .usage("\(option) is given twice") }
            parsed.append(.value(value, option: option))
        }
        return parsed
    }

    /// Returns the number of an option.
    package static func number(_ option: String, _ value: String, _ range: ClosedRange<Int>) throws(CommandError) -> Int {
        guard let number = Int(value), range.contains(number) else {
            throw .usage("\(option) needs a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
