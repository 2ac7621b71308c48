import Martlet

/// Records the outcome of every call.
actor Ledger {
    private(set) var sent = 0
    private(set) var outcomes: [Outcome: Int] = [:]
    /// The first ten outcomes that their plans do not allow.
    private(set) var unexpected: [String] = []
    private var unexpectedCount = 0

    func begin() { sent += 1 }

    func end(_ number: Int, _ plan: Plan, _ outcome: Outcome) {
        outcomes[outcome, default: 0] += 1
        guard !plan.allows(outcome) else { return }
        unexpectedCount += 1
        if unexpected.count < 10 { unexpected.append("call \(number), \(plan.reply): \(outcome)") }
    }

    /// The number of calls that have ended.
    var ended: Int { outcomes.values.reduce(0, +) }

    /// The problems found; empty if all calls are accounted for.
    var problems: [String] {
        var problems = unexpected
        if unexpectedCount > unexpected.count { problems.append("and \(unexpectedCount - unexpected.count) more ends of unexpected kinds") }
        if ended != sent { problems.append("\(sent) calls were sent, and \(ended) ended") }
        return problems
    }

    var summary: String {
        let failures = outcomes.filter { if case .failed = $0.key { true } else { false } }
        let kinds = failures.map { "\($0.key)".split(separator: "\"").dropFirst().first.map(String.init) ?? "?" }
        let counts = zip(kinds, failures.values).map { "\($0) \($1)" }.sorted().joined(separator: ", ")
        return "sent \(sent) = succeeded \(outcomes[.succeeded] ?? 0) + cancelled \(outcomes[.cancelled] ?? 0)"
            + " + failed \(failures.values.reduce(0, +)) (\(counts))"
    }
}
