internal import MartletCache
internal import MartletEssentials

extension SQLiteConnection {
    // MARK: Writing

    /// Begins a body in chunks. Returns its number, which is never reused.
    func beginBody(now: Int64) throws(CacheStoreError) -> Int64 {
        do throws(CacheStoreError) {
            try execute("INSERT INTO bodies (state, since, size) VALUES (0, ?, 0)", .number(now))
        } catch {
            // SQLite reports a full disk when the last possible number has been used.
            let last = try number("SELECT max(seq) FROM sqlite_sequence WHERE name = 'bodies'") ?? 0
            throw last < Schema.bodyNumbers.upperBound ? error : .damaged("the number of the last body")
        }
        guard Schema.bodyNumbers.contains(lastRow) else { throw .damaged("the number of the last body") }
        return lastRow
    }

    /// Adds a chunk to an unfinished body.
    func append(_ bytes: Data, at place: Int64, to body: Int64, now: Int64) throws(CacheStoreError) {
        let changed = try execute(
            "UPDATE bodies SET since = ?, size = size + ? WHERE number = ? AND state = 0", .number(now), .number(Int64(bytes.count)),
            .number(body))
        guard changed == 1 else { throw SQLiteConnection.leaseLost }
        let number = try Schema.place(place, of: body)
        try execute(
            "INSERT INTO chunks (place, bytes, sum) VALUES (?, ?, ?)", .number(number), .blob(bytes),
            .number(Checksum.of(bytes, at: number)))
    }

    /// Returns the number of bytes of unfinished bodies.
    func unfinishedBytes() throws(CacheStoreError) -> Int64 {
        var sum: Int64 = 0
        _ = try rows("SELECT size FROM bodies WHERE state = 0") { (row) throws(CacheStoreError) in
            let size = try row.number(0), (next, isOver) = sum.addingReportingOverflow(size)
            guard size >= 0, !isOver else { throw .damaged("the size of a body") }
            sum = next
        }
        return sum
    }

    /// Throws `.corrupt` if the table of bodies contains values that no store writes.
    func checkBodies() throws(CacheStoreError) {
        let strange = try number(
            """
            SELECT number FROM bodies WHERE typeof(state) <> 'integer' OR state NOT BETWEEN 0 AND 2 OR typeof(since) <> 'integer'
            OR typeof(size) <> 'integer' OR size NOT BETWEEN 0 AND ? OR number NOT BETWEEN ? AND ? LIMIT 1
            """, .number(Schema.lengths.upperBound), .number(Schema.bodyNumbers.lowerBound), .number(Schema.bodyNumbers.upperBound))
        if strange != nil { throw .damaged("a row of the table of bodies") }
    }

    /// Marks a body as complete.
    func complete(_ body: Int64) throws(CacheStoreError) {
        let changed = try execute("UPDATE bodies SET state = 1 WHERE number = ? AND state = 0", .number(body))
        guard changed == 1 else { throw SQLiteConnection.leaseLost }
    }

    private static var leaseLost: CacheStoreError {
        CacheStoreError(.failed, "the unfinished body was removed because its writer did not renew its lease in time")
    }

    /// Renews the leases of unfinished bodies.
    func renewLeases(of bodies: Set<Int64>, now: Int64) throws(CacheStoreError) {
        for body in bodies { try execute("UPDATE bodies SET since = ? WHERE number = ? AND state = 0", .number(now), .number(body)) }
    }

    // MARK: Removing

    /// Marks a body as dead. Only its current readers can still read it, until its chunks are removed.
    func bury(_ body: Int64, now: Int64) throws(CacheStoreError) {
        try execute("UPDATE bodies SET state = 2, since = ? WHERE number = ?", .number(now), .number(body))
    }

    /// Marks an unfinished body as dead since the epoch, so that no grace period applies.
    func discard(_ body: Int64) throws(CacheStoreError) {
        try execute("UPDATE bodies SET state = 2, since = 0 WHERE number = ? AND state = 0", .number(body))
    }

    /// Marks unfinished bodies as dead whose writers have ended or have not renewed their lease since `moment`, except bodies written in
    /// this process.
    func buryLeftovers(
        since moment: Int64, except alive: Set<Int64>, isAbandoned: (_ body: Int64) -> Bool
    ) throws(CacheStoreError) {
        let unfinished = try rows("SELECT number, since FROM bodies WHERE state = 0") { (row) throws(CacheStoreError) in
            (number: try row.number(0), since: try row.number(1))
        }
        for body in unfinished where !alive.contains(body.number) && (isAbandoned(body.number) || body.since < moment) {
            try bury(body.number, now: 0)
        }
    }

    /// Returns the body that is dead for the longest time, at least since `moment`, of the bodies that are not read in this process.
    func oldestDead(since moment: Int64 = .max, except held: Set<Int64>) throws(CacheStoreError) -> Int64? {
        try rows(
            "SELECT number FROM bodies WHERE state = 2 AND since <= ? ORDER BY since LIMIT ?",
            [.number(moment), .number(Int64(held.count + 1))]
        ) { (row) throws(CacheStoreError) in try row.number(0) }.first { !held.contains($0) }
    }

    /// Whether there are dead bodies.
    func hasDead() throws(CacheStoreError) -> Bool { try number("SELECT 1 FROM bodies WHERE state = 2 LIMIT 1") != nil }

    /// Removes the last chunks of a dead body, and the body after its first chunk.
    func purge(_ body: Int64, chunks count: Int) throws(CacheStoreError) {
        let first = try Schema.place(0, of: body)
        let chunks = try rows(
            "SELECT place, length(bytes) FROM chunks WHERE place >= ? AND place < ? ORDER BY place DESC LIMIT ?",
            [.number(first), .number(first + Schema.maxChunks), .number(Int64(count))]
        ) { (row) throws(CacheStoreError) in (place: try row.number(0), size: row.isNull(1) ? 0 : try row.number(1)) }
        if let lowest = chunks.last?.place {
            try execute("DELETE FROM chunks WHERE place >= ? AND place < ?", .number(lowest), .number(first + Schema.maxChunks))
        }
        guard chunks.count < count else {
            let size = chunks.reduce(into: Int64(0)) { $0 = $0.addingReportingOverflow($1.size).partialValue }
            try execute("UPDATE bodies SET size = max(0, size - ?) WHERE number = ?", .number(size), .number(body))
            return
        }
        try execute("DELETE FROM bodies WHERE number = ?", .number(body))
    }

    // MARK: Room

    /// Removes dead bodies, then unfinished bodies of ended writers, then the least recently used responses, until `bytes` fit.
    ///
    /// Bodies that are read in this process stay, and so do unfinished bodies, which have their own limit. The file may therefore exceed
    /// the capacity for a while.
    func makeRoom(
        for bytes: Int64, capacity: Int64, held: Set<Int64>, now: Int64, buryingLeftovers bury: () throws(CacheStoreError) -> Void
    ) throws(CacheStoreError) {
        var hasBuried = false
        while true {
            let totals = try totals()
            guard totals.bytes + totals.loose > capacity - bytes else { return }
            if let dead = try oldestDead(except: held) {
                try purge(dead, chunks: 8)
                continue
            }
            if !hasBuried {
                hasBuried = true
                try bury()
                continue
            }
            guard totals.count > 0 else {
                let isLoose = try number("SELECT 1 FROM bodies WHERE state <> 1 LIMIT 1") != nil
                guard totals.loose == 0 || isLoose else { throw .damaged("the table of totals") }
                return
            }
            let oldest = try number("SELECT number FROM entries ORDER BY used LIMIT 1") ?? -1
            guard try drop("number = ?", [.number(oldest)], now: now) == 1 else { throw .damaged("the order of use") }
        }
    }

    /// Returns unused space of the file to the system if there is much of it. Returns whether there may be more.
    func shrink() throws(CacheStoreError) -> Bool {
        let free = try number("PRAGMA freelist_count") ?? 0, all = try number("PRAGMA page_count") ?? 0
        guard free > 256, free > all / 4 else { return false }
        try execute("PRAGMA incremental_vacuum(1000)")
        return true
    }
}
