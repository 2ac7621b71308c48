// MartletSQLite: `SQLiteCacheStore`, a cache store in an SQLite file.
//
// - Library: SQLite, loaded at run time.
// - Entries: the schema, entries and bodies.
// - File: the identity of the file, and the claim to write it.
// - Store: the store, its lanes and its limits, and opening the file.
//
// Imports: MartletCache. Start with `SQLiteCacheStore`.
