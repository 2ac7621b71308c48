public import MartletEssentials

extension TransportConformance {
    /// A point in which a transport does otherwise than a case expects.
    struct Mismatch: Sendable, Hashable, CustomStringConvertible {
        /// What was looked at: `streamed, the body`.
        let subject: String
        /// What the case expects.
        let expected: String
        /// What was seen.
        let seen: String

        init(_ subject: String, expected: String, seen: String) {
            self.subject = subject
            self.expected = expected
            self.seen = seen
        }

        var description: String { "\(subject): expected \(expected), saw \(seen)" }
    }

    /// A case that failed.
    public struct CaseFailure: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
        /// The case's ``TransportConformance/Case/id``.
        public let id: String
        let points: [Mismatch]
        /// What was expected and what was seen, a line for each point, in the order in which they were seen.
        public var mismatches: [String] { points.map(\.description) }
        private let sentence: String

        init(id: String, description: String, mismatches: [Mismatch]) {
            self.id = id
            points = mismatches
            sentence = description
        }

        init(deviationAboutNothing deviation: Deviation) {
            let mismatch = Mismatch("the known deviation", expected: "a case called “\(deviation.caseID)”", seen: "none among those run")
            self.init(id: deviation.caseID, description: "A deviation is about a case", mismatches: [mismatch])
        }

        /// The case and every point, a line each.
        public var description: String {
            (["\(id): \(sentence)"] + points.map { "  \($0)" }).joined(separator: "\n")
        }

        /// The description.
        public var errorDescription: String? { description }
    }

    /// What ``check(_:expecting:options:_:)`` throws: the cases that failed.
    public struct Failure: Error, Sendable, CustomStringConvertible, LocalizedError {
        /// The cases that failed, in the order in which they were given.
        public let cases: [CaseFailure]
        /// How many were run.
        public let count: Int

        /// The number of cases and, for each that failed, what was expected and what was seen.
        public var description: String {
            (["\(cases.count) of \(count) cases failed"] + cases.map(\.description)).joined(separator: "\n")
        }

        /// The description.
        public var errorDescription: String? { description }
    }
}
