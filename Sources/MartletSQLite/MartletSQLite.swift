// MartletSQLite: `SQLiteCacheStore`, a cache store in an SQLite file.
//
// - Library: SQLite, loaded at run time.
// - Entries: the schema, entries and bodies.
// - Store: the store, its lanes and its limits, the identity of the file, opening it, and the claim to write it.
//
// Imports: MartletCache. Start with `SQLiteCacheStore`.
