// MartletSQLite: `SQLiteCacheStore`, a cache store in an SQLite file.
//
// - Store: the store, its lanes and its limits.
// - Entries: the schema, entries and bodies.
// - File: opening, checking and claiming the file.
// - Library: SQLite, loaded at run time.
//
// Imports: MartletCache. Start with `SQLiteCacheStore`.
