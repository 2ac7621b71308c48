internal import MartletCache
internal import MartletEssentials

/// An open file: one connection for each lane, and the file's identity.
struct OpenFile: Sendable {
    let writes: SQLiteConnection
    let reads: SQLiteConnection
    let identity: StoreFile.Identity
    /// A number for each file that a store has opened. Row numbers are valid only within one epoch.
    let epoch: Int

    /// Abandons the connections without closing them. In a forked child they are copies of the parent's, and closing them would change its
    /// file.
    func forget() {
        reads.forget()
        writes.forget()
    }
}

extension StoreFile {
    /// The reason why a file cannot be used as it is. It is part of the name of the file that is set aside.
    enum Reason: String, CaseIterable {
        case corrupt, newer, older, foreign

        fileprivate func event(_ url: URL, _ detail: String) -> SQLiteCacheStore.Event {
            switch self {
            case .corrupt: .corruptFile(movedTo: url, detail: detail)
            case .newer: .newerFile(movedTo: url, detail: detail)
            case .older: .olderFile(movedTo: url, detail: detail)
            case .foreign: .foreignFile(movedTo: url, detail: detail)
            }
        }
    }

    private struct Refusal: Error {
        let reason: Reason
        let detail: String
    }

    /// Opens the file, and creates it if it is missing. A file that cannot be used is set aside.
    func opened(_ settings: StoreSettings, epoch: Int) throws(CacheStoreError) -> OpenFile {
        let library = try SQLiteLibrary.shared()
        try createFolder()
        let outcome = try alone(waiting: settings.limits.busyTimeout) {
            () throws(CacheStoreError) -> (OpenFile, [SQLiteCacheStore.Event]) in
            var events: [SQLiteCacheStore.Event] = []
            // The second round opens the file created in place of one that was set aside.
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

    /// Sets aside an open file that turned out to be corrupt, unless that has already happened.
    func setAside(corrupt identity: Identity, _ detail: String, _ settings: StoreSettings) throws(CacheStoreError) {
        let event = try alone(waiting: settings.limits.busyTimeout) { () throws(CacheStoreError) -> SQLiteCacheStore.Event? in
            self.identity == identity ? try setAside(.corrupt, detail, settings) : nil
        }
        if let event { settings.report(event) }
    }

    private func setAside(_ reason: Reason, _ detail: String, _ settings: StoreSettings) throws(CacheStoreError) -> SQLiteCacheStore.Event {
        let url = try setAside(as: reason.rawValue, at: settings.milliseconds, keeping: settings.limits.filesKeptAside)
        return reason.event(url, detail)
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
            case .older(let version): return refused(.older, "\(path) has format version \(version), which is no longer supported")
            case .newer(let version):
                return refused(.newer, "\(path) has format version \(version); this version supports \(Schema.version)")
            case .altered: return refused(.corrupt, "\(path) contains views or triggers that no store has created")
            case .foreign: return refused(.foreign, "\(path) is another program's database")
            }
            _ = try writes.totals()
            try writes.checkBodies()
            // Changes nothing, and fails if the file cannot be written.
            try writes.execute("UPDATE totals SET count = count WHERE FALSE")
            let reads = try SQLiteConnection(library, path: path, busyTimeout: settings.limits.busyTimeout)
            try reads.setUp()
            try reads.execute("PRAGMA query_only = ON")
            guard let identity else { throw CacheStoreError(.unavailable, "\(path) was removed while it was opened") }
            if let pages = settings.maxPages { try writes.execute("PRAGMA max_page_count = \(pages)") }
            return .success(OpenFile(writes: writes, reads: reads, identity: identity, epoch: epoch))
        } catch {
            // A damaged header can claim that the file is read-only.
            let isDamaged = error.kind == .corrupt || (error.underlying as? SQLiteFailure)?.code == SQLiteCode.readOnly && mayBeWritten
            guard isDamaged else { throw error }
            return refused(.corrupt, error.detail)
        }
    }

    private func refused(_ reason: Reason, _ detail: String) -> Result<OpenFile, Refusal> {
        .failure(Refusal(reason: reason, detail: detail))
    }
}
