internal import MartletCache

/// The tables, and the marks by which a file is recognised.
///
/// Each row of `entries` is a response, found by its key and variant, with a small body in the row. Each row of `bodies` is a large body,
/// from its first chunk on. Its state is 0 while it is unfinished, 1 when it is complete, and 2 when it is dead. `chunks` contains its
/// bytes, numbered by body and position. Triggers maintain `totals`.
enum Schema {
    /// “MRTC”.
    static let applicationID: Int64 = 0x4D52_5443
    static let version: Int64 = 1

    /// The maximum number of chunks of a body.
    static let maxChunks: Int64 = 1 << 24
    /// The valid numbers of bodies. Within the range, the positions of a body's chunks fit 64 bits.
    static let bodyNumbers: ClosedRange<Int64> = 1...(Int64.max / maxChunks - 1)
    /// The valid lengths of bodies. A body's chunks have at most 64 MiB each.
    static let lengths: ClosedRange<Int64> = 0...(maxChunks * (64 << 20))

    /// Returns the position of a chunk in the table of chunks.
    ///
    /// - Throws: `.corrupt` for a body or a chunk that no store writes.
    static func place(_ chunk: Int64, of body: Int64) throws(CacheStoreError) -> Int64 {
        guard bodyNumbers.contains(body), (0..<maxChunks).contains(chunk) else { throw .damaged("the number of a stored body") }
        return body * maxChunks + chunk
    }

    static let countingGone = """
        CREATE TRIGGER entries_gone AFTER DELETE ON entries
        BEGIN UPDATE totals SET count = count - 1, bytes = bytes - old.size; END
        """

    /// The tables, indices and triggers as the file's schema lists them. SQLite adds the table `sqlite_sequence` itself.
    static var objects: [String] { statements.filter { $0.hasPrefix("CREATE ") } + ["CREATE TABLE sqlite_sequence(name,seq)"] }

    static let statements = [
        """
        CREATE TABLE entries (
            number INTEGER PRIMARY KEY, uri TEXT NOT NULL, scope TEXT NOT NULL, variant TEXT NOT NULL, id TEXT NOT NULL,
            head BLOB NOT NULL, headsum INTEGER NOT NULL, body BLOB, bodysum INTEGER NOT NULL, chunked INTEGER,
            length INTEGER NOT NULL, size INTEGER NOT NULL, used INTEGER NOT NULL)
        """,
        "CREATE UNIQUE INDEX entries_key ON entries (uri, scope, variant)",
        "CREATE INDEX entries_used ON entries (used)",
        """
        CREATE TABLE bodies (
            number INTEGER PRIMARY KEY AUTOINCREMENT, state INTEGER NOT NULL, since INTEGER NOT NULL, size INTEGER NOT NULL)
        """,
        "CREATE INDEX bodies_state ON bodies (state, since) WHERE state <> 1",
        "CREATE TABLE chunks (place INTEGER PRIMARY KEY, bytes BLOB NOT NULL, sum INTEGER NOT NULL)",
        "CREATE TABLE totals (count INTEGER NOT NULL, bytes INTEGER NOT NULL, loose INTEGER NOT NULL)",
        "INSERT INTO totals VALUES (0, 0, 0)",
        """
        CREATE TRIGGER entries_added AFTER INSERT ON entries
        BEGIN UPDATE totals SET count = count + 1, bytes = bytes + new.size; END
        """,
        countingGone,
        """
        CREATE TRIGGER entries_sized AFTER UPDATE OF size ON entries
        BEGIN UPDATE totals SET bytes = bytes + new.size - old.size; END
        """,
        """
        CREATE TRIGGER bodies_changed AFTER UPDATE OF state, size ON bodies
        BEGIN UPDATE totals SET loose = loose + (new.state <> 1) * new.size - (old.state <> 1) * old.size; END
        """,
        "CREATE TRIGGER bodies_gone AFTER DELETE ON bodies BEGIN UPDATE totals SET loose = loose - (old.state <> 1) * old.size; END",
        "PRAGMA application_id = \(applicationID)",
        "PRAGMA user_version = \(version)",
    ]
}

extension SQLiteConnection {
    /// The kind of a file.
    enum Nature: Equatable {
        case empty, ours, altered, older(Int64), newer(Int64), foreign
    }

    func nature() throws(CacheStoreError) -> Nature {
        let id = try number("PRAGMA application_id") ?? 0, version = try number("PRAGMA user_version") ?? 0
        let tables = try number("SELECT count(*) FROM sqlite_master") ?? 0
        if id == 0, version == 0, tables == 0 { return .empty }
        guard id == Schema.applicationID else { return .foreign }
        guard version == Schema.version else { return version > Schema.version ? .newer(version) : .older(version) }
        return try hasCodeOfOthers() ? .altered : .ours
    }

    /// Whether the schema lists anything that no store creates, such as a view, a trigger or a virtual table. Reading through one may take
    /// any time.
    ///
    /// SQLite interprets the text of an object, not the type listed with it.
    private func hasCodeOfOthers() throws(CacheStoreError) -> Bool {
        let known = Schema.objects.map { "'\($0)'" }.joined(separator: ", ")
        return try number("SELECT count(*) FROM sqlite_master WHERE ifnull(sql, '') NOT IN ('', \(known))") != 0
    }

    /// Creates the tables of an empty file.
    func createSchema() throws(CacheStoreError) {
        try execute("PRAGMA auto_vacuum = INCREMENTAL")
        try setUp()
        try transaction { () throws(CacheStoreError) in
            guard try nature() == .empty else { return }
            for statement in Schema.statements { try execute(statement) }
        }
    }

    /// Sets the options of a connection.
    func setUp() throws(CacheStoreError) {
        // Where the file system does not support WAL, SQLite keeps its rollback journal and reports that. It works too, with more waiting.
        try execute("PRAGMA journal_mode = WAL")
        try execute("PRAGMA synchronous = NORMAL")
        // The log is checkpointed at 4 MiB, and its file truncated to 16 MiB.
        try execute("PRAGMA wal_autocheckpoint = 1000")
        try execute("PRAGMA journal_size_limit = 16777216")
        try execute("PRAGMA cell_size_check = ON")
        try execute("PRAGMA trusted_schema = OFF")
    }
}
