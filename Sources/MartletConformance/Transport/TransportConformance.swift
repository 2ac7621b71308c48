public import MartletEssentials

/// A test suite that checks whether a type meets the contract of `Transport`. Run it over your own transport.
///
/// Run all cases in any test library or program:
///
/// ```swift
/// try await TransportConformance.check { MyTransport() }
/// ```
///
/// Run one test for each case, with Swift Testing:
///
/// ```swift
/// @Test(arguments: TransportConformance.cases)
/// func conforms(_ aCase: TransportConformance.Case) async throws {
///     try await aCase.check { MyTransport() }
/// }
/// ```
///
/// Each case runs a script on a `MockServer` and compares the result of the transport with the contract of `Transport` and the RFCs.
/// Cases about deadlines and cancellation use an `HTTPClient` over the transport. All connections stay on this machine. The only other
/// traffic is the lookup of `does-not-exist.invalid`, a name that is reserved for not existing. Every case has a time limit, so that a
/// transport that hangs fails the case.
///
/// ### Deviations
/// If a platform cannot fulfil a case, give the case's name with parts of the lines in its failure:
///
/// ```swift
/// let known = ["fields.latin-1": ["saw the error “Invalid response"]]
/// try await TransportConformance.check(expecting: known) { MyTransport() }
/// ```
///
/// Each line of the failure must contain one of the parts, and each part must occur in a line. The case then fails if the difference
/// changes or disappears. Removing a ``Capability`` also changes the expectation of cases and skips none.
///
/// A deviation that ends the process can be observed only in another process: leave its case out of the cases that you run, and run it in
/// an exit test.
public enum TransportConformance {
    /// All cases, in the order of their subjects, from requests and responses to time limits and stress.
    public static let cases: [Case] =
        RequestCases.all + RestraintCases.all + ResponseCases.all + FieldCases.all + BodyCases.all + CodingCases.all + FailureCases.all
        + TruncationCases.all + DeliveryCases.all + DuplexCases.all + ConnectionCases.all + DeadlineCases.all + CancellationCases.all
        + NeighbourCases.all + WebSocketCases.all + StressCases.all

    /// Runs cases over a transport, up to eight at a time, and throws an error that lists the failed ones.
    ///
    /// - Parameters:
    ///   - cases: The cases to run. Default: all.
    ///   - deviations: The transport's known deviations: for the name of a case, parts of the lines in its failure. A deviation from a case
    ///     that is not in `cases` is a failure.
    ///   - options: The transport's capabilities and the time limit for one case.
    ///   - make: Creates a transport. Called once for each case.
    /// - Throws: One error that lists every failed case, with expected and observed values.
    public static func check(
        _ cases: [Case] = cases, expecting deviations: [String: [String]] = [:], options: Options = .init(),
        _ make: @escaping @Sendable () -> any Transport
    ) async throws(Failure) {
        let unknown = deviations.keys.filter { id in !cases.contains { $0.id == id } }.sorted()
        let failed = await withTaskGroup(of: (Int, CaseFailure?).self) { group in
            var failed = unknown.map { (-1, CaseFailure(deviationFromUnknown: $0)) }
            for (index, aCase) in cases.enumerated() {
                if index >= 8, case (let index, let failure?)? = await group.next() { failed.append((index, failure)) }
                group.addTask { (index, await aCase.failure(expecting: deviations, options: options, make)) }
            }
            for await case (let index, let failure?) in group { failed.append((index, failure)) }
            return failed.sorted { $0.0 < $1.0 }.map(\.1)
        }
        guard failed.isEmpty else { throw Failure(failures: failed, count: cases.count) }
    }

    // MARK: Settings

    /// The capabilities of a transport, and the settings of the cases.
    public struct Options: Sendable {
        /// The time limit for one case; a case that exceeds it fails and is abandoned. Default: 30 seconds.
        public var timeLimit: Duration
        /// The capabilities of the transport. Default: all.
        ///
        /// The cases of a missing capability still run, with a different expectation. For example, a response in a coding that the
        /// transport cannot decode must be returned coded, with its `Content-Encoding`.
        public var capabilities: Set<Capability>
        /// The transport's limit on connections to one origin, or nil if it has no fixed limit. Default: nil.
        public var connectionsPerOrigin: Int?
        /// The number of concurrent calls in the stress case. Default: 2,000. Use 20,000 and a longer time limit before a release.
        public var stressCalls: Int
        /// The length of the largest body that is sent and received. Default: 50,000,000 bytes. Smaller bodies are tested in any case.
        public var maxBodyBytes: Int
        /// The seed of the cancellations in the stress case. The same seed cancels the same calls at the same moments. Default: 1.
        public var seed: UInt64
        /// The time source for the time limit.
        var time: any TimeSource = SystemTime()

        /// Creates options.
        ///
        /// - Parameters:
        ///   - timeLimit: The time limit for one case. Default: 30 seconds.
        ///   - capabilities: The capabilities of the transport. Default: all.
        ///   - connectionsPerOrigin: The transport's limit on connections to one origin. Default: nil, no fixed limit.
        ///   - stressCalls: The number of concurrent calls in the stress case. Default: 2,000.
        ///   - maxBodyBytes: The length of the largest body. Default: 50,000,000 bytes.
        ///   - seed: The seed of the cancellations in the stress case. Default: 1.
        public init(
            timeLimit: Duration = .seconds(30), capabilities: Set<Capability> = Set(Capability.allCases), connectionsPerOrigin: Int? = nil,
            stressCalls: Int = 2000, maxBodyBytes: Int = 50_000_000, seed: UInt64 = 1
        ) {
            self.timeLimit = timeLimit
            self.capabilities = capabilities
            self.connectionsPerOrigin = connectionsPerOrigin
            self.stressCalls = stressCalls
            self.maxBodyBytes = maxBodyBytes
            self.seed = seed
        }
    }

    /// A capability that some transports lack because of their platform, which changes what the cases expect.
    public enum Capability: String, Sendable, Hashable, CaseIterable {
        /// A streamed body is received only as fast as it is read. Without it, the body still arrives completely.
        case backpressure
        /// The stream of a request's body is sent while it is produced. Without it, the stream is read completely first, and then has a
        /// length.
        case streamedUploads
        /// Trailers are returned (RFC 9110 §6.5). Without it, they are dropped, and the body is complete.
        case trailers
        /// The trailers of a request are sent (RFC 9110 §6.5). Without it, the request is refused before anything is sent.
        case requestTrailers
        /// A response is received while the body of its request is still being produced. Without it, the whole body is sent first.
        case duplex
        /// The transport decodes `gzip` (RFC 9110 §8.4.1.3). Without it, the coding is not requested, and a coded body is returned
        /// unchanged.
        case gzip
        /// The transport decodes `deflate` (RFC 9110 §8.4.1.2), with or without the zlib wrapper. Without it, as with `gzip`.
        case deflate
        /// The transport decodes `br` (RFC 7932). Without it, as with `gzip`.
        case brotli
        /// The transport decodes `zstd` (RFC 8878). Without it, as with `gzip`.
        case zstd
        /// A response that is slow to decode does not delay other exchanges by more than 100 ms (400 ms in a debug build), in at least one
        /// of sixteen attempts. Without this capability, each exchange must take less than a quarter of the time limit.
        case isolation
        /// The transport reaches servers over IPv6, at `::1`. Without it, or on a machine without that address, the case expects a network
        /// failure.
        case ipv6
    }

    /// Returns the differences between the mismatches of a case and the known ones, of which `observed` has parts.
    static func unexpected(_ mismatches: [Mismatch], known observed: [String]) -> [Mismatch] {
        let words = observed.joined(separator: "” and “")
        guard !mismatches.isEmpty else {
            return [Mismatch("the known deviation", expected: "“\(words)”", seen: "none: the case passes. Remove the deviation.")]
        }
        let others = mismatches.filter { mismatch in !observed.contains { mismatch.description.contains($0) } }
        let missing = observed.filter { word in !mismatches.contains { $0.description.contains(word) } }
        return others + missing.map { Mismatch("the known deviation", expected: "“\($0)”", seen: "other failures, without it") }
    }

    // MARK: Cases and their failures

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
        ///   - deviations: The transport's known deviations, as in ``check(_:expecting:options:_:)``. Those from other cases are ignored.
        ///   - options: The transport's capabilities and the case's time limit.
        ///   - make: Creates the transport. Called once.
        /// - Throws: The differences between the transport's behaviour and the case's expectation.
        public func check(
            expecting deviations: [String: [String]] = [:], options: Options = .init(), _ make: @escaping @Sendable () -> any Transport
        ) async throws(Failure) {
            if let failure = await failure(expecting: deviations, options: options, make) { throw Failure(failures: [failure], count: 1) }
        }

        func failure(
            expecting deviations: [String: [String]], options: Options, _ make: @escaping @Sendable () -> any Transport
        ) async -> CaseFailure? {
            let context = CaseContext(options: options, transport: make())
            let seen = await context.mismatches(of: run, within: options.timeLimit, time: options.time)
            let left = deviations[id].map { unexpected(seen, known: $0) } ?? seen
            return left.isEmpty ? nil : CaseFailure(id: id, description: description, mismatches: left)
        }
    }

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
    struct CaseFailure: Sendable, CustomStringConvertible {
        let id: String
        let sentence: String
        let mismatches: [Mismatch]

        init(id: String, description: String, mismatches: [Mismatch]) {
            self.id = id
            sentence = description
            self.mismatches = mismatches
        }

        init(deviationFromUnknown id: String) {
            let mismatch = Mismatch("the known deviation", expected: "a case called “\(id)”", seen: "none among those run")
            self.init(id: id, description: "A known deviation must refer to a case that is run", mismatches: [mismatch])
        }

        /// The case and its mismatches, one line each.
        var description: String { (["\(id): \(sentence)"] + mismatches.map { "  \($0)" }).joined(separator: "\n") }
    }

    /// The error of a check, which lists the failed cases.
    public struct Failure: Error, Sendable, CustomStringConvertible, LocalizedError {
        let failures: [CaseFailure]
        /// The number of cases that were run.
        public let count: Int

        /// The failed cases in the order in which they were given, each with its name, its ``TransportConformance/Case/id``, and the
        /// expected and the observed value of each mismatch, one line each, in the order in which they were observed.
        public var cases: [(id: String, mismatches: [String])] { failures.map { ($0.id, $0.mismatches.map(\.description)) } }

        /// The number of failed cases if several were run, and the expected and observed values of each.
        public var description: String {
            let summary = count == 1 ? [] : ["\(failures.count) of \(count) cases failed"]
            return (summary + failures.map(\.description)).joined(separator: "\n")
        }

        /// The failed cases with their mismatches, the same text as ``description``.
        public var errorDescription: String? { description }
    }
}
