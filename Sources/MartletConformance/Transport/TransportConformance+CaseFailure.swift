public import MartletEssentials

extension TransportConformance {
    /// A difference between a transport's behaviour and a case's expectation.
    struct Mismatch: Sendable, Hashable, CustomStringConvertible {
        /// The checked property, such as `streamed, the body`.
        let subject: String
        /// The expected value.
        let expected: String
        /// The observed value.
        let seen: String

        init(_ subject: String, expected: String, seen: String) {
            self.subject = subject
            self.expected = expected
            self.seen = seen
        }

        var description: String { "\(subject): expected \(expected), saw \(seen)" }
    }

    /// The failure of one case, with its mismatches.
    public struct CaseFailure: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
        /// The name of the case, its ``TransportConformance/Case/id``.
        public let id: String
        let points: [Mismatch]
        /// The expected and the observed value of each mismatch, one line each, in the order in which they were observed.
        public var mismatches: [String] { points.map(\.description) }
        private let sentence: String

        init(id: String, description: String, mismatches: [Mismatch]) {
            self.id = id
            points = mismatches
            sentence = description
        }

        init(deviationAboutNothing deviation: Deviation) {
            let mismatch = Mismatch("the known deviation", expected: "a case called “\(deviation.caseID)”", seen: "none among those run")
            self.init(id: deviation.caseID, description: "A known deviation must refer to a case that is run", mismatches: [mismatch])
        }

        /// The case and its mismatches, one line each.
        public var description: String {
            (["\(id): \(sentence)"] + points.map { "  \($0)" }).joined(separator: "\n")
        }

        /// The case and its mismatches, the same text as ``description``.
        public var errorDescription: String? { description }
    }

    /// The error of ``check(_:expecting:options:_:)``, which lists the failed cases.
    public struct Failure: Error, Sendable, CustomStringConvertible, LocalizedError {
        /// The failed cases, in the order in which the cases were given.
        public let cases: [CaseFailure]
        /// The number of cases that were run.
        public let count: Int

        /// The number of failed cases, and the expected and observed values of each.
        public var description: String {
            (["\(cases.count) of \(count) cases failed"] + cases.map(\.description)).joined(separator: "\n")
        }

        /// The failed cases with their mismatches, the same text as ``description``.
        public var errorDescription: String? { description }
    }
}
