public import MartletCache
public import MartletEssentials

extension SQLiteCacheStore {
    /// The settings of a store besides its capacity: sizes of bodies, time limits, how many recent keys are looked up without a wait, and
    /// how many unusable files are kept.
    public struct Limits: Sendable {
        /// The maximum length of a stored body in bytes, at most the capacity, or nil for half of the capacity. A response with a longer
        /// body is not stored. Default: nil.
        public var maxBodyBytes: Int64?
        /// The maximum length in bytes of a body that is stored and loaded together with its head, up to 16 MiB. Default: 64 KiB (65,536).
        public var inlineBytes = 65_536
        /// The length in bytes of the chunks in which a longer body is written and read, from 4 KiB to 64 MiB. Each such body needs that
        /// much memory. Default: 256 KiB (262,144).
        public var chunkBytes = 262_144
        /// The maximum time that a change waits for changes by other processes, after which it throws `.timeout`. Default: 2 seconds.
        public var busyTimeout: Duration = .seconds(2)
        /// The time for which a removed or replaced body is kept for readers in other processes, unless its space is needed. Readers in
        /// this process have no time limit. Default: 60 seconds.
        public var grace: Duration = .seconds(60)
        /// The time for which an unfinished body is kept if its writer's process is alive but the writer is inactive, for example stopped.
        /// An active writer renews its lease four times in that period. The body of a writer that no longer exists is removed earlier.
        /// Default: 10 minutes.
        public var lease: Duration = .seconds(600)
        /// The maximum number of recently used keys that are looked up on the caller's own thread. Default: 1024; 0 for none.
        ///
        /// The pages of a key that was looked up in the last minute are in memory, and a lookup on the caller's thread is several times
        /// faster.
        public var maxRecentKeys = 1024
        /// The number of unusable files that are kept after they were set aside. The oldest ones above this number are removed, except
        /// databases of other programs. Default: 2.
        public var filesKeptAside = 2

        /// Creates settings with the default values.
        public init() {}
    }

    /// An event that concerns a store's file: it was set aside, or can't be opened.
    @nonexhaustive public enum Event: Sendable, Hashable, CustomStringConvertible {
        /// The reason why a file was set aside.
        @nonexhaustive public enum Reason: Sendable, Hashable {
            /// The file cannot be read, or its content is damaged.
            case corrupt
            /// The file was created by a newer version of this package.
            case newer
            /// The file was created by a version of this package that is no longer supported.
            case older
            /// The file is a database of another program.
            case foreign

            var word: String { "\(self)" }
        }

        /// The file and the files that belong to it were renamed to this URL, and a new file was created.
        case setAside(Reason, URL, detail: String)
        /// The file could not be opened, so nothing is stored or found. Reported once, and again when the failure changes.
        case openingFailed(CacheStoreError.Kind, detail: String)

        /// The event as one line of text.
        public var description: String {
            switch self {
            case .setAside(let reason, let url, let detail): "\(reason): \(detail); the file was renamed to \(url.lastPathComponent)"
            case .openingFailed(let kind, let detail): "the cache's file can't be opened: \(kind): \(detail)"
            }
        }
    }
}
