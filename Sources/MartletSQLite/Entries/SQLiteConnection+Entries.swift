internal import MartletCache
internal import MartletEssentials

/// A response as read from the file.
struct FoundEntry: Sendable {
    enum Body: Sendable {
        case inline(Data)
        /// A body in chunks, with its number.
        case chunked(Int64)
    }

    let number: Int64
    let response: StoredResponse
    let body: Body
    let length: Int64
}

/// The totals of a file.
struct StoreTotals: Sendable, Equatable {
    /// The number of stored responses, and their bytes.
    let count: Int64
    let bytes: Int64
    /// The number of bytes of unfinished and dead bodies.
    let loose: Int64

    /// - Throws: `.corrupt` for totals that no store writes.
    init(count: Int64, bytes: Int64, loose: Int64) throws(CacheStoreError) {
        let isSum = count >= 0 && bytes >= 0 && loose >= 0 && (count > 0 || bytes == 0)
        guard isSum, !bytes.addingReportingOverflow(loose).overflow else { throw .damaged("the table of totals") }
        (self.count, self.bytes, self.loose) = (count, bytes, loose)
    }
}

/// A complete response that is about to be stored.
struct NewEntry: Sendable {
    let response: StoredResponse
    let body: FoundEntry.Body
    let length: Int64

    /// Returns the size that counts against the capacity: the bytes, and an estimate for the tables and indices.
    static func size(_ response: StoredResponse, _ head: Data, _ length: Int64) -> Int64 {
        let key = response.key
        return length + Int64(head.count + 2 * (key.uri.utf8.count + key.scope.utf8.count) + 200)
    }

    var size: Int64 { NewEntry.size(response, response.encoded, length) }
}

extension SQLiteConnection {
    // MARK: Finding

    /// Returns all complete responses of a key.
    func entries(for key: CacheKey) throws(CacheStoreError) -> [FoundEntry] {
        try rows(
            "SELECT number, head, headsum, body, bodysum, chunked, length FROM entries WHERE uri = ? AND scope = ?",
            [.text(key.uri), .text(key.scope)]
        ) { (row) throws(CacheStoreError) -> FoundEntry? in try SQLiteConnection.entry(row, of: key) }.compactMap { $0 }
    }

    private static func entry(_ row: SQLiteRow, of key: CacheKey) throws(CacheStoreError) -> FoundEntry? {
        let head = row.data(1), sum = try row.number(2), bodySum = try row.number(4), length = try row.number(6)
        let chunked = row.isNull(5) ? nil : try row.number(5)
        guard Schema.lengths.contains(length), chunked.map(Schema.bodyNumbers.contains) ?? true else { throw .damaged("a stored head") }
        guard sum == Checksum.of(head, at: bodySum, chunked ?? -1, length) else { throw .damaged("a stored head") }
        let body: FoundEntry.Body
        if let chunked {
            body = .chunked(chunked)
        } else {
            let bytes = row.data(3)
            guard Int64(bytes.count) == length, bodySum == Checksum.of(bytes) else { throw .damaged("a stored body") }
            body = .inline(bytes)
        }
        // A head that this version cannot read, because another version wrote it, is not found.
        guard let response = StoredResponse(encoded: head) else { return nil }
        guard response.key == key else { throw .damaged("a stored key") }
        return FoundEntry(number: try row.number(0), response: response, body: body, length: length)
    }

    func totals() throws(CacheStoreError) -> StoreTotals {
        let found = try rows("SELECT count, bytes, loose FROM totals") { (row) throws(CacheStoreError) in
            try StoreTotals(count: try row.number(0), bytes: try row.number(1), loose: try row.number(2))
        }
        guard found.count == 1 else { throw .damaged("the table of totals") }
        return found[0]
    }

    /// Returns the length of a body's first chunk, or 0 if the chunk is missing.
    func chunkSize(of body: Int64) throws(CacheStoreError) -> Int64 {
        try number("SELECT length(bytes) FROM chunks WHERE place = ?", .number(try Schema.place(0, of: body))) ?? 0
    }

    /// Returns the bytes of a chunk, or nil if the chunk is missing.
    func chunk(_ place: Int64, of body: Int64) throws(CacheStoreError) -> Data? {
        let number = try Schema.place(place, of: body)
        let found = try rows("SELECT bytes, sum FROM chunks WHERE place = ?", [.number(number)]) { (row) throws(CacheStoreError) in
            let bytes = row.data(0)
            guard try row.number(1) == Checksum.of(bytes, at: number) else { throw .damaged("a stored chunk") }
            return bytes
        }
        return found.first
    }

    // MARK: Changing

    /// Stores a complete response and replaces the one with the same key and variant.
    func insert(_ entry: NewEntry, used: Int64, now: Int64) throws(CacheStoreError) {
        let response = entry.response, head = response.encoded
        let condition = "uri = ? AND scope = ? AND variant = ?"
        try drop(condition, [.text(response.key.uri), .text(response.key.scope), .text(response.variant.text)], now: now)
        let body: SQLiteValue, chunked: SQLiteValue, bodySum: Int64, headSum: Int64
        switch entry.body {
        case .inline(let bytes):
            (body, chunked, bodySum) = (.blob(bytes), .null, Checksum.of(bytes))
            headSum = Checksum.of(head, at: bodySum, -1, entry.length)
        case .chunked(let number):
            (body, chunked, bodySum) = (.null, .number(number), 0)
            headSum = Checksum.of(head, at: bodySum, number, entry.length)
        }
        try execute(
            """
            INSERT INTO entries (uri, scope, variant, id, head, headsum, body, bodysum, chunked, length, size, used)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, .text(response.key.uri), .text(response.key.scope), .text(response.variant.text), .text(response.id), .blob(head),
            .number(headSum), body, .number(bodySum), chunked, .number(entry.length), .number(entry.size), .number(used))
    }

    /// Replaces the head of the stored response with the same ID and key. Returns whether there is one.
    func update(_ response: StoredResponse, now: Int64) throws(CacheStoreError) -> Bool {
        let key = response.key, head = response.encoded
        let found = try rows(
            "SELECT number, bodysum, chunked, length FROM entries WHERE uri = ? AND scope = ? AND id = ?",
            [.text(key.uri), .text(key.scope), .text(response.id)]
        ) { (row) throws(CacheStoreError) in
            (
                number: try row.number(0), bodySum: try row.number(1), chunked: row.isNull(2) ? -1 : try row.number(2),
                length: try row.number(3)
            )
        }
        guard let old = found.first else { return false }
        guard Schema.lengths.contains(old.length) else { throw .damaged("a stored head") }
        // Another stored response may already have the new variant.
        try drop(
            "uri = ? AND scope = ? AND variant = ? AND number <> ?",
            [.text(key.uri), .text(key.scope), .text(response.variant.text), .number(old.number)], now: now)
        let sum = Checksum.of(head, at: old.bodySum, old.chunked, old.length)
        try execute(
            "UPDATE entries SET head = ?, headsum = ?, variant = ?, size = ? WHERE number = ?", .blob(head), .number(sum),
            .text(response.variant.text), .number(NewEntry.size(response, head, old.length)), .number(old.number))
        return true
    }

    /// Removes responses and marks their bodies in chunks as dead. Returns the number of removed responses.
    @discardableResult
    func drop(_ condition: String, _ values: [SQLiteValue], now: Int64) throws(CacheStoreError) -> Int {
        let bodies = try rows("SELECT chunked FROM entries WHERE \(condition) AND chunked IS NOT NULL", values) {
            (row) throws(CacheStoreError) in try row.number(0)
        }
        for body in bodies { try bury(body, now: now) }
        return try execute("DELETE FROM entries WHERE \(condition)", values)
    }

    /// Removes all responses and marks their bodies in chunks as dead.
    func dropAll(now: Int64) throws(CacheStoreError) {
        try execute("UPDATE bodies SET state = 2, since = ? WHERE state = 1", .number(now))
        // Without the trigger, and without a condition, SQLite deletes all rows without reading each of them.
        try execute("DROP TRIGGER entries_gone")
        try execute("DELETE FROM entries")
        try execute(Schema.countingGone)
        try execute("UPDATE totals SET count = 0, bytes = 0")
    }

    /// Records when responses were used.
    func touch(_ uses: [Int64: Int64]) throws(CacheStoreError) {
        for (number, used) in uses {
            try execute("UPDATE entries SET used = ? WHERE number = ? AND used < ?", .number(used), .number(number), .number(used))
        }
    }
}
