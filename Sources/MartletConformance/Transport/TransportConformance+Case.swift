extension TransportConformance {
    /// One requirement of the contract, which can be checked by itself. Its description is a sentence, with the RFC section that requires
    /// it.
    public struct Case: Sendable, Identifiable, CustomStringConvertible {
        /// The case's name, such as `restraint.redirects`. It does not change between versions.
        public let id: String
        /// The behaviour that the case requires of a transport, as a sentence.
        public let description: String
        let run: @Sendable (CaseContext) async throws -> Void

        init(_ id: String, _ description: String, _ run: @escaping @Sendable (CaseContext) async throws -> Void) {
            self.id = id
            self.description = description
            self.run = run
        }

        /// Runs the case over a transport, and throws if the transport does not meet the requirement.
        ///
        /// - Parameters:
        ///   - deviations: the transport's known deviations. Deviations from other cases are ignored.
        ///   - options: the transport's capabilities and the case's time limit.
        ///   - make: creates the transport. Called once.
        /// - Throws: the differences between the transport's behaviour and the case's expectation.
        public func check(
            expecting deviations: [Deviation] = [], options: Options = .init(), _ make: @escaping @Sendable () -> any Transport
        ) async throws(CaseFailure) {
            if let failure = await failure(expecting: deviations, options: options, make) { throw failure }
        }

        func failure(
            expecting deviations: [Deviation], options: Options, _ make: @escaping @Sendable () -> any Transport
        ) async -> CaseFailure? {
            let context = CaseContext(options: options, transport: make())
            let seen = await context.mismatches(of: run, within: options.timeLimit, time: options.time)
            let left = deviations.filter { $0.caseID == id }.reduce(seen) { $1.judge($0) }
            return left.isEmpty ? nil : CaseFailure(id: id, description: description, mismatches: left)
        }
    }
}
