// MartletRedis: a cache store on a Redis server that several processes share.
//
// - Protocol: commands and replies of RESP.
// - Connection: the pool of connections, served by one thread.
// - Store: `RedisCacheStore`, its keys and its scripts.
//
// Imports: MartletCache. Start with `RedisCacheStore`.
