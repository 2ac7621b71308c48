// MartletConformance: suites that a transport or a cache store of your own must pass.
//
// - Transport: `TransportConformance` and its cases, over a mock server.
// - CacheStore: `CacheStoreConformance` and its cases.
// - Contexts: what the running cases of both suites share.
//
// Imports: MartletTesting, which it re-exports. Start with `TransportConformance`.

@_exported public import MartletTesting
