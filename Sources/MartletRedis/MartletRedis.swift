// MartletRedis: a cache store, and the state of limits and circuit breakers, on a Redis server that several processes share.
//
// - Connection: commands and replies of RESP, and the pool of connections, served by one thread.
// - Store: `RedisCacheStore`, its keys and its scripts.
// - `RedisTrafficState`: with its keys and its scripts.
//
// Imports: MartletCache, MartletResilience. Start with `RedisCacheStore` or `RedisTrafficState`.
