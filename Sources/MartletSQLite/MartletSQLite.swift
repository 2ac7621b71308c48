// MartletSQLite: `SQLiteCacheStore`, a cache store in an SQLite file.
//
// - Store: the store, its lane and its limits.
// - Entries: the schema, entries and bodies.
// - File: opening, checking and claiming the file.
// - Library: SQLite bound at run time.
//
// Imports: MartletCache. Start with `SQLiteCacheStore`.
