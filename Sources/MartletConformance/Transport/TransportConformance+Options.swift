extension TransportConformance {
    /// What the cases are told about a transport, and how long they may take.
    public struct Options: Sendable {
        /// How long a case may take; one that takes longer has failed, and is left to itself. Default: 30 seconds.
        public var timeLimit: Duration = .seconds(30)
        /// What the transport can do. Default: everything.
        ///
        /// What is left out is still tested: an answer in a coding that can't be undone comes as it is, and says so.
        public var capabilities = Set(Capability.allCases)
        /// To how many connections the transport keeps with one origin; nil when it does not promise a number. Default: nil.
        public var connectionsPerOrigin: Int?
        /// How many calls the stress case makes at once. Default: 2,000; say 20,000 before a release, with more time.
        public var stressCalls = 2000
        /// The size of the largest body that is sent and received. Default: 50,000,000 bytes; smaller ones are tested in any case.
        public var maxBodyBytes = 50_000_000
        /// What the stress case's calls are cancelled by: the same seed draws the same calls and moments. Default: 1.
        public var seed: UInt64 = 1
        /// The time source for the time limit.
        var time: any TimeSource = SystemTime()

        /// The defaults.
        public init() {}

        /// The defaults, with some changed.
        public init(
            timeLimit: Duration = .seconds(30), capabilities: Set<Capability> = Set(Capability.allCases), connectionsPerOrigin: Int? = nil,
            stressCalls: Int = 2000
        ) {
            self.timeLimit = timeLimit
            self.capabilities = capabilities
            self.connectionsPerOrigin = connectionsPerOrigin
            self.stressCalls = stressCalls
        }
    }

    /// What some transports can do and some can't, for reasons of their platform.
    public enum Capability: String, Sendable, Hashable, CaseIterable {
        /// A streamed body flows only as fast as it is read. Without it: it still arrives whole.
        case backpressure
        /// A request's stream is sent while it is made. Without it: it is read whole first, and then has a length.
        case streamedUploads
        /// Fields after a body are given (RFC 9110 §6.5). Without it: they are dropped, and the body is whole.
        case trailers
        /// Undoes `gzip` (RFC 9110 §8.4.1.3). Without it: not asked for, and given as it came.
        case gzip
        /// Undoes `deflate` (RFC 9110 §8.4.1.2), with the zlib wrapper or without. Without it: as `gzip`.
        case deflate
        /// Undoes `br` (RFC 7932). Without it: as `gzip`.
        case brotli
        /// Undoes `zstd` (RFC 8878). Without it: as `gzip`.
        case zstd
        /// Exchanges do not wait for each other's decoding: beside a hostile response an exchange takes at most 100 ms longer than before.
        /// Without it: at most a quarter of the time limit.
        case isolation
        /// Reaches `::1`. Without it, also where the machine has no such address: a failure of the network.
        case ipv6
    }

    /// What a transport is known to do otherwise than a case expects.
    public struct Deviation: Sendable, Hashable {
        /// The case.
        public let caseID: String
        /// What is seen: words out of the case's failure, all of which are found, and without which none of its lines is.
        public let observed: [String]

        /// A deviation: its case fails unless exactly this is seen.
        ///
        /// - Parameters:
        ///   - caseID: the case: `fields.latin-1`.
        ///   - observed: words from the lines of the failure that is known. Each line must have some of them, and each of them must
        ///     be in a line; give several when the lines differ.
        public static func deviation(_ caseID: String, observed: String...) -> Deviation { deviation(caseID, observed: observed) }

        /// The same, with the words in an array.
        public static func deviation(_ caseID: String, observed: [String]) -> Deviation {
            Deviation(caseID: caseID, observed: observed)
        }

        /// What is wrong when the deviation is known and `mismatches` were seen.
        func judge(_ mismatches: [Mismatch]) -> [Mismatch] {
            let words = observed.joined(separator: "” and “")
            guard !mismatches.isEmpty else {
                return [Mismatch("the known deviation", expected: "“\(words)”", seen: "none: the case holds. Take the deviation out.")]
            }
            let others = mismatches.filter { mismatch in !observed.contains { mismatch.description.contains($0) } }
            let missing = observed.filter { word in !mismatches.contains { $0.description.contains(word) } }
            return others + missing.map { Mismatch("the known deviation", expected: "“\($0)”", seen: "other failures, without it") }
        }
    }
}
