// MartletConformance: test suites for an app's own transports and cache stores.
//
// - Transport: `TransportConformance` and its cases, over a mock server.
// - CacheStore: `CacheStoreConformance` and its cases.
// - Contexts: the shared parts of the running cases.
//
// Imports: MartletTesting, which it re-exports. Start with `TransportConformance`.

@_exported public import MartletTesting
