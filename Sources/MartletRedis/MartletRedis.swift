// MartletRedis: `RedisCacheStore`, a cache store that several servers share over Redis or Valkey.
//
// - Store: the store, its layout and its scripts.
// - Connection: connections, their pool and their event loop.
// - Protocol: RESP.
//
// Imports: MartletCache. Start with `RedisCacheStore`.
