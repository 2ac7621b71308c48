extension TransportConformance {
    /// One thing that every transport owes its users. Its description is a sentence, with the section of the RFC that asks for it.
    public struct Case: Sendable, Identifiable, CustomStringConvertible {
        /// What it is called: `restraint.redirects`. It stays the same from version to version.
        public let id: String
        /// What a transport that conforms does.
        public let description: String
        let run: @Sendable (CaseContext) async throws -> Void

        init(_ id: String, _ description: String, _ run: @escaping @Sendable (CaseContext) async throws -> Void) {
            self.id = id
            self.description = description
            self.run = run
        }

        /// Runs the case over a transport and throws when the transport does otherwise.
        ///
        /// - Parameters:
        ///   - deviations: what the transport is known to do otherwise. Those about other cases do not count.
        ///   - options: what the transport can do, and how long the case may take.
        ///   - make: makes the transport; called once.
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
