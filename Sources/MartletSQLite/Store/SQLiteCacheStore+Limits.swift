public import MartletCache
public import MartletEssentials

extension SQLiteCacheStore {
    /// What a store may take besides its capacity.
    public struct Limits: Sendable {
        /// The longest body that is kept, in bytes; never more than the capacity. Default: nil, half of the capacity.
        public var maxBodyBytes: Int64?
        /// The longest body that stands beside its head and comes with it at once, in bytes, up to 16 MiB. Default: 64 KiB (65,536).
        public var inlineBytes = 65_536
        /// How many bytes of a longer body are written and read at a time, 4 KiB to 64 MiB: so many are in memory for each that is.
        /// Default: 256 KiB (262,144).
        public var chunkBytes = 262_144
        /// How long a change waits for those of other processes; then it throws `.timeout`. Default: 2 seconds.
        public var busyTimeout: Duration = .seconds(2)
        /// How long a body is left for its readers in other processes after it was removed or replaced, while there is room. Readers in
        /// this process have as long as they like. Default: 60 seconds.
        public var grace: Duration = .seconds(60)
        /// How long an unfinished body is kept while its writer's process lives but the writer is inactive, for example stopped. An active
        /// writer renews its lease four times in that period. The body of a writer that has gone is removed earlier. Default: 10 minutes.
        public var lease: Duration = .seconds(600)
        /// How many keys that were looked up in the last minute may be looked up again on the caller's own thread, since their pages are in
        /// memory: several times faster than by way of another thread. 0: none. Default: 1024.
        public var maxRecentKeys = 1024
        /// How many files that were set aside are kept; then the oldest is removed. One that is a database of something else is never
        /// removed. Default: 2.
        public var filesKeptAside = 2

        /// The defaults.
        public init() {}
    }

    /// What happened to a store's file.
    @nonexhaustive public enum Event: Sendable, Hashable, CustomStringConvertible {
        /// Why a file was not used.
        @nonexhaustive public enum Reason: Sendable, Hashable {
            /// It can't be read, or holds what was not written.
            case corrupt
            /// A newer version of this package has made it.
            case newer
            /// A version of this package has made it that is too old.
            case older
            /// It is a database of something else.
            case foreign

            var word: String { "\(self)" }
        }

        /// The file was renamed, with those that belong to it, and begun anew.
        case setAside(Reason, URL, detail: String)
        /// The file could not be opened: nothing is stored or found. Reported once, and again when the failure changes.
        case openingFailed(CacheStoreError.Kind, detail: String)

        /// What happened, in a line.
        public var description: String {
            switch self {
            case .setAside(let reason, let url, let detail): "\(reason): \(detail); it is called \(url.lastPathComponent) now"
            case .openingFailed(let kind, let detail): "the cache's file can't be opened: \(kind): \(detail)"
            }
        }
    }
}
