/// A test suite that checks whether a type meets the contract of `CacheStore`. Run it over your own cache store.
///
/// Run all cases in any test library or program:
///
/// ```swift
/// try await CacheStoreConformance.check { MyCacheStore() }
/// ```
///
/// Run one test for each case, with Swift Testing:
///
/// ```swift
/// @Test(arguments: CacheStoreConformance.cases)
/// func conforms(_ aCase: CacheStoreConformance.Case) async throws {
///     try await aCase.check { MyCacheStore() }
/// }
/// ```
///
/// Each case creates a store, writes to it and checks the responses found. One case compares random operations with a dictionary. A case
/// fails if the store throws, hangs, or returns truncated or wrong bytes. The suite does not test a store's expiry, and it tests its limits
/// only with ``Options/makeSmall``.
public enum CacheStoreConformance {
    /// A difference between a store's behaviour and a case's expectation.
    typealias Mismatch = TransportConformance.Mismatch
    typealias CaseFailure = TransportConformance.CaseFailure
    /// The error of ``check(_:options:_:)``, which lists the failed cases.
    public typealias Failure = TransportConformance.Failure

    /// All cases, in the order of their subjects, from keys and heads to random operations.
    public static let cases: [Case] =
        StoreKeyCases.all + StoreHeadCases.all + StoreBodyCases.all + StoreWriterCases.all + StoreRemovalCases.all + StoreRoomCases.all
        + StoreTaskCases.all + StoreModelCases.all

    /// Runs cases over a store, one after the other, and throws an error that lists the failed ones.
    ///
    /// - Parameters:
    ///   - cases: The cases to run. Default: all.
    ///   - options: The settings of the cases and their time limit.
    ///   - make: Creates an empty store with room for at least 32 MiB. Called once for each case.
    /// - Throws: One error that lists every failed case.
    public static func check(
        _ cases: [Case] = cases, options: Options = .init(), _ make: @escaping @Sendable () async throws -> any CacheStore
    ) async throws(Failure) {
        var failed: [CaseFailure] = []
        for aCase in cases {
            if let failure = await aCase.failure(options: options, make) { failed.append(failure) }
        }
        guard failed.isEmpty else { throw Failure(failures: failed, count: cases.count) }
    }

    /// The settings of the cases and their time limit.
    public struct Options: Sendable {
        /// The time limit for one case; a case that exceeds it fails and is abandoned. Default: 30 seconds.
        public var timeLimit: Duration = .seconds(30)
        /// A closure that creates an empty store with a capacity of about the given number of bytes, for the cases of a full store, or nil.
        /// Default: nil, those cases then check only what holds for any store.
        public var makeSmall: (@Sendable (_ capacity: Int) async throws -> any CacheStore)?
        /// The number of random operations that are compared with a dictionary. Default: 600.
        public var operations = 600
        /// The seed of the random operations. The same seed produces the same operations. Default: 1.
        public var seed: UInt64 = 1

        /// Creates options with the default values.
        public init() {}
    }

    /// One requirement of the contract, which can be checked by itself. Its description is a sentence.
    public struct Case: Sendable, Identifiable, CustomStringConvertible {
        /// The case's name, such as `writers.dropped`. It does not change between versions.
        public let id: String
        /// The behaviour that the case requires of a store, as a sentence.
        public let description: String
        let run: @Sendable (StoreCaseContext) async throws -> Void

        init(_ id: String, _ description: String, _ run: @escaping @Sendable (StoreCaseContext) async throws -> Void) {
            self.id = id
            self.description = description
            self.run = run
        }

        /// Runs the case over a store, and throws if the store does not meet the requirement.
        ///
        /// - Parameters:
        ///   - options: The settings of the case and its time limit.
        ///   - make: Creates an empty store with room for at least 32 MiB. Called once.
        /// - Throws: The differences between the store's behaviour and the case's expectation.
        public func check(
            options: Options = .init(), _ make: @escaping @Sendable () async throws -> any CacheStore
        ) async throws(Failure) {
            if let failure = await failure(options: options, make) { throw Failure(failures: [failure], count: 1) }
        }

        func failure(options: Options, _ make: @escaping @Sendable () async throws -> any CacheStore) async -> CaseFailure? {
            let seen: [Mismatch]
            do {
                seen = await StoreCaseContext(try await make(), options).mismatches(of: run, within: options.timeLimit, time: .system)
            } catch {
                seen = [Mismatch("creating the store", expected: "nothing thrown", seen: "\(error)")]
            }
            return seen.isEmpty ? nil : CaseFailure(id: id, description: description, mismatches: seen)
        }
    }
}

typealias StoreCase = CacheStoreConformance.Case
