internal import MartletCache

/// A file that is open: one connection for each lane, and which file it is.
struct OpenFile: Sendable {
    let writes: SQLiteConnection
    let reads: SQLiteConnection
    let identity: StoreFile.Identity
    /// Counts the files that a store has had open: numbers of one mean nothing in another.
    let epoch: Int

    /// Leaves the connections as they are: a forked child's are those of its parent, and closing them would touch its file.
    func forget() {
        reads.forget()
        writes.forget()
    }
}

extension StoreFile {
    /// Why a file can't be used as it is.
    private struct Refusal: Error {
        let reason: SQLiteCacheStore.Event.Reason
        let detail: String
    }

    /// Opens the file, and makes it when it is not there; one that can't be used is set aside.
    func opened(_ settings: StoreSettings, epoch: Int) throws(CacheStoreError) -> OpenFile {
        let library = try SQLiteLibrary.shared()
        try createFolder()
        let outcome = try alone(waiting: settings.limits.busyTimeout) {
            () throws(CacheStoreError) -> (OpenFile, [SQLiteCacheStore.Event]) in
            var events: [SQLiteCacheStore.Event] = []
            // Once for what is there, and once for what is made in its place.
            while true {
                try create()
                switch try connect(library, settings, epoch) {
                case .success(let file): return (file, events)
                case .failure(let refusal):
                    guard events.isEmpty else { throw CacheStoreError(.corrupt, refusal.detail) }
                    events.append(try setAside(refusal.reason, refusal.detail, settings))
                }
            }
        }
        for event in outcome.1 { settings.report(event) }
        return outcome.0
    }

    /// Sets aside a file that was found to be corrupt after it was opened, unless it was already.
    func setAside(corrupt identity: Identity, _ detail: String, _ settings: StoreSettings) throws(CacheStoreError) {
        let event = try alone(waiting: settings.limits.busyTimeout) { () throws(CacheStoreError) -> SQLiteCacheStore.Event? in
            self.identity == identity ? try setAside(.corrupt, detail, settings) : nil
        }
        if let event { settings.report(event) }
    }

    private func setAside(
        _ reason: SQLiteCacheStore.Event.Reason, _ detail: String, _ settings: StoreSettings
    ) throws(CacheStoreError) -> SQLiteCacheStore.Event {
        let url = try setAside(as: reason.word, at: settings.milliseconds, keeping: settings.limits.filesKeptAside)
        return .setAside(reason, url, detail: detail)
    }

    private func connect(
        _ library: SQLiteLibrary, _ settings: StoreSettings, _ epoch: Int
    ) throws(CacheStoreError) -> Result<OpenFile, Refusal> {
        let writes: SQLiteConnection
        do throws(CacheStoreError) {
            writes = try SQLiteConnection(library, path: path, busyTimeout: settings.limits.busyTimeout)
            switch try writes.nature() {
            case .empty: try writes.createSchema()
            case .ours: try writes.setUp()
            case .older(let version): return refused(.older, "\(path) has version \(version), which this one can't read any more")
            case .newer(let version): return refused(.newer, "\(path) has version \(version), and this one knows \(Schema.version)")
            case .altered: return refused(.corrupt, "\(path) has views or triggers that no store has made")
            case .foreign: return refused(.foreign, "\(path) is a database of something else")
            }
            _ = try writes.totals()
            try writes.checkBodies()
            // Writes nothing, and finds out whether that would be possible.
            try writes.execute("UPDATE totals SET count = count WHERE FALSE")
            let reads = try SQLiteConnection(library, path: path, busyTimeout: settings.limits.busyTimeout)
            try reads.setUp()
            try reads.execute("PRAGMA query_only = ON")
            guard let identity else { throw CacheStoreError(.unavailable, "\(path) has gone while it was opened") }
            if let pages = settings.maxPages { try writes.execute("PRAGMA max_page_count = \(pages)") }
            return .success(OpenFile(writes: writes, reads: reads, identity: identity, epoch: epoch))
        } catch {
            // A damaged header can say that the file is not to be written.
            let isDamaged = error.kind == .corrupt || (error.underlying as? SQLiteFailure)?.code == SQLiteCode.readOnly && mayBeWritten
            guard isDamaged else { throw error }
            return refused(.corrupt, error.detail)
        }
    }

    private func refused(_ reason: SQLiteCacheStore.Event.Reason, _ detail: String) -> Result<OpenFile, Refusal> {
        .failure(Refusal(reason: reason, detail: detail))
    }
}
