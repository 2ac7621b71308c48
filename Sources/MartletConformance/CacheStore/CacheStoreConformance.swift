/// What every cache store owes the cache, as cases that can be run over one.
///
/// ### Use
/// All at once, from any test library or program:
///
/// ```swift
/// try await CacheStoreConformance.check { MyStore() }
/// ```
///
/// One test for each case, with Swift Testing:
///
/// ```swift
/// @Test(arguments: CacheStoreConformance.cases)
/// func conforms(_ aCase: CacheStoreConformance.Case) async throws {
///     try await aCase.check { MyStore() }
/// }
/// ```
///
/// ### What it does
/// Each case has a store of its own, writes to it and looks at what is found; among them are random operations from a seed that are
/// compared with a dictionary. A store that fails, hangs, gives another's bytes, or fewer than were written fails the case. What a store
/// does with its time and with its room, beyond what ``Options/makeSmall`` asks, is for tests of its own.
public enum CacheStoreConformance {
    /// A point in which a store does otherwise than a case expects.
    typealias Mismatch = TransportConformance.Mismatch
    /// A case that failed.
    public typealias CaseFailure = TransportConformance.CaseFailure
    /// What ``check(_:options:_:)`` throws: the cases that failed.
    public typealias Failure = TransportConformance.Failure

    /// Every case, in the order of the subjects: keys, heads, bodies, writers, removal, room, many at once, random operations.
    public static let cases: [Case] =
        StoreKeyCases.all + StoreHeadCases.all + StoreBodyCases.all + StoreWriterCases.all + StoreRemovalCases.all + StoreRoomCases.all
        + StoreTaskCases.all + StoreModelCases.all

    /// Runs cases over a store, one after the other, and throws one error that lists every case that failed.
    ///
    /// - Parameters:
    ///   - cases: which cases. Default: all.
    ///   - options: what the cases are told, and how long each may take.
    ///   - make: makes an empty store that has room for 32 MiB at least; called once for each case.
    public static func check(
        _ cases: [Case] = cases, options: Options = .init(), _ make: @escaping @Sendable () async throws -> any CacheStore
    ) async throws(Failure) {
        var failed: [CaseFailure] = []
        for aCase in cases {
            if let failure = await aCase.failure(options: options, make) { failed.append(failure) }
        }
        guard failed.isEmpty else { throw Failure(cases: failed, count: cases.count) }
    }
}

extension CacheStoreConformance {
    /// What the cases are told, and how long they may take.
    public struct Options: Sendable {
        /// How long a case may take; one that takes longer has failed, and is left to itself. Default: 30 seconds.
        public var timeLimit: Duration = .seconds(30)
        /// Makes an empty store that keeps about so many bytes, for the cases of a store that is full. Default: nil, those cases then
        /// look only at what holds for any store.
        public var makeSmall: (@Sendable (_ capacity: Int) async throws -> any CacheStore)?
        /// How many random operations are compared with a dictionary. Default: 600.
        public var operations = 600
        /// What the random operations are drawn by: the same seed draws the same. Default: 1.
        public var seed: UInt64 = 1

        /// The defaults.
        public init() {}
    }

    /// One thing that every store owes the cache. Its description is a sentence.
    public struct Case: Sendable, Identifiable, CustomStringConvertible {
        /// What it is called: `writers.dropped`. It stays the same from version to version.
        public let id: String
        /// What a store that conforms does.
        public let description: String
        let run: @Sendable (StoreCaseContext) async throws -> Void

        init(_ id: String, _ description: String, _ run: @escaping @Sendable (StoreCaseContext) async throws -> Void) {
            self.id = id
            self.description = description
            self.run = run
        }

        /// Runs the case over a store and throws when the store does otherwise.
        ///
        /// - Parameters:
        ///   - options: what the case is told, and how long it may take.
        ///   - make: makes an empty store that has room for 32 MiB at least; called once.
        public func check(
            options: Options = .init(), _ make: @escaping @Sendable () async throws -> any CacheStore
        ) async throws(CaseFailure) {
            if let failure = await failure(options: options, make) { throw failure }
        }

        func failure(options: Options, _ make: @escaping @Sendable () async throws -> any CacheStore) async -> CaseFailure? {
            let seen: [Mismatch]
            do {
                seen = await StoreCaseContext(try await make(), options).mismatches(of: run, within: options.timeLimit, time: .system)
            } catch {
                seen = [Mismatch("making the store", expected: "nothing thrown", seen: "\(error)")]
            }
            return seen.isEmpty ? nil : CaseFailure(id: id, description: description, mismatches: seen)
        }
    }
}

typealias StoreCase = CacheStoreConformance.Case
