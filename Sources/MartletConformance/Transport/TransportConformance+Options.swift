extension TransportConformance {
    /// The capabilities of a transport, and the settings of the cases.
    public struct Options: Sendable {
        /// The time limit for one case; a case that exceeds it fails and is abandoned. Default: 30 seconds.
        public var timeLimit: Duration = .seconds(30)
        /// The capabilities of the transport. Default: all.
        ///
        /// The cases of a missing capability still run, with a different expectation. For example, a response in a coding that the
        /// transport cannot decode must be returned coded, with its `Content-Encoding`.
        public var capabilities = Set(Capability.allCases)
        /// The transport's limit on connections to one origin, or nil if it has no fixed limit. Default: nil.
        public var connectionsPerOrigin: Int?
        /// The number of concurrent calls in the stress case. Default: 2,000. Use 20,000 and a longer time limit before a release.
        public var stressCalls = 2000
        /// The length of the largest body that is sent and received. Default: 50,000,000 bytes. Smaller bodies are tested in any case.
        public var maxBodyBytes = 50_000_000
        /// The seed of the cancellations in the stress case. The same seed cancels the same calls at the same moments. Default: 1.
        public var seed: UInt64 = 1
        /// The time source for the time limit.
        var time: any TimeSource = SystemTime()

        /// Creates options with the default values.
        public init() {}

        /// Creates options.
        ///
        /// - Parameters:
        ///   - timeLimit: the time limit for one case. Default: 30 seconds.
        ///   - capabilities: the capabilities of the transport. Default: all.
        ///   - connectionsPerOrigin: the transport's limit on connections to one origin. Default: nil, no fixed limit.
        ///   - stressCalls: the number of concurrent calls in the stress case. Default: 2,000.
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

    /// A capability that some transports lack because of their platform, which changes what the cases expect.
    public enum Capability: String, Sendable, Hashable, CaseIterable {
        /// A streamed body is received only as fast as it is read. Without it, the body still arrives completely.
        case backpressure
        /// The stream of a request's body is sent while it is produced. Without it, the stream is read completely first, and then has a
        /// length.
        case streamedUploads
        /// Trailers are returned (RFC 9110 §6.5). Without it, they are dropped, and the body is complete.
        case trailers
        /// The transport decodes `gzip` (RFC 9110 §8.4.1.3). Without it, the coding is not requested, and a coded body is returned
        /// unchanged.
        case gzip
        /// The transport decodes `deflate` (RFC 9110 §8.4.1.2), with or without the zlib wrapper. Without it, as with `gzip`.
        case deflate
        /// The transport decodes `br` (RFC 7932). Without it, as with `gzip`.
        case brotli
        /// The transport decodes `zstd` (RFC 8878). Without it, as with `gzip`.
        case zstd
        /// A response that is slow to decode does not delay other exchanges by more than 100 ms, in at least one of sixteen attempts.
        /// Without this capability, each exchange must take less than a quarter of the time limit.
        case isolation
        /// The transport reaches servers over IPv6, at `::1`. Without it, or on a machine without that address, the case expects a network
        /// failure.
        case ipv6
    }

    /// A known difference between a transport's behaviour and a case's expectation.
    public struct Deviation: Sendable, Hashable {
        /// The name of the case.
        public let caseID: String
        /// The parts of the lines in the case's failure that are known. Each part must occur in a line, and each line must contain one of
        /// them.
        public let observed: [String]

        /// Creates a deviation from a case by its name and the known mismatches. Its case fails unless exactly the given mismatches are
        /// observed.
        ///
        /// - Parameters:
        ///   - caseID: the name of the case, such as `fields.latin-1`.
        ///   - observed: parts of the lines in the known failure. Each line must contain one of them, and each of them must occur in a
        ///     line. Give several if the lines differ.
        public static func deviation(_ caseID: String, observed: String...) -> Deviation { deviation(caseID, observed: observed) }

        /// Creates a deviation from a case by its name and the known mismatches in an array.
        public static func deviation(_ caseID: String, observed: [String]) -> Deviation {
            Deviation(caseID: caseID, observed: observed)
        }

        /// Returns the differences between `mismatches` and the known deviation.
        func judge(_ mismatches: [Mismatch]) -> [Mismatch] {
            let words = observed.joined(separator: "” and “")
            guard !mismatches.isEmpty else {
                return [Mismatch("the known deviation", expected: "“\(words)”", seen: "none: the case passes. Remove the deviation.")]
            }
            let others = mismatches.filter { mismatch in !observed.contains { mismatch.description.contains($0) } }
            let missing = observed.filter { word in !mismatches.contains { $0.description.contains(word) } }
            return others + missing.map { Mismatch("the known deviation", expected: "“\($0)”", seen: "other failures, without it") }
        }
    }
}
