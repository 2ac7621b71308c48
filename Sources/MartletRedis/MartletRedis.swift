// MartletRedis: a cache store on a Redis server, which several processes share.
//
// - Protocol: commands and replies of RESP.
// - Connection: the pool of connections, which one thread serves.
// - Store: `RedisCacheStore`, its layout of keys, and its scripts.
//
// Imports: MartletCache. Start with `RedisCacheStore`.
