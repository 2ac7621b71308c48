extension LandingPage {
    /// The landing page of this package.
    package static let martlet = LandingPage(
        abstract: "A type-safe HTTP and GraphQL client for Swift 6, with the same behaviour on Linux and on Apple’s platforms.",
        overview:
            "Most apps import Martlet, and MartletTesting in their tests. Martlet re-exports the modules that it consists of, "
            + "so their types need no further import. Each type is described in the module that declares it.",
        groups: [
            Group(
                title: "For every app",
                modules: [
                    ("Martlet", "The client with interceptors, authentication, cache and transfers, over the platform’s transport."),
                    ("MartletTesting", "In tests: mocked clients, a mocked transport, a loopback server, recordings and manual time."),
                ]),
            Group(
                title: "For some apps",
                modules: [
                    ("MartletGraphQL", "GraphQL queries, mutations and subscriptions over the same client."),
                    ("MartletGraphQLSchema", "Schemas of GraphQL services: generated operations, and the validation of documents."),
                    ("MartletWebSocket", "WebSocket connections over the same client, with typed messages and reconnection."),
                    ("MartletKeychain", "Tokens in the Keychain, or on Linux in the Secret Service."),
                    ("MartletSQLite", "An HTTP cache on disk, in an SQLite file."),
                    ("MartletRedis", "An HTTP cache, rate limits and circuits that several servers share, over Redis or Valkey."),
                    ("MartletBridges", "Martlet beside swift-log, swift-metrics and other packages, each with a package trait."),
                    ("MartletInspector", "A page on loopback that shows the calls of an app under development."),
                    ("MartletFoundation", "Typed requests for a URLSession that the app already has."),
                    ("MartletConformance", "Test suites for a custom transport or cache store."),
                ]),
            Group(
                title: "The parts of Martlet",
                modules: [
                    ("MartletClient", "The client, endpoints, requests, interceptors and the address guard, without a transport."),
                    ("MartletHTTP", "HTTP’s vocabulary: requests, responses, header fields, bodies, errors and the transport contract."),
                    ("MartletJSON", "JSON: coders for Codable types, and documents without a type."),
                    ("MartletResilience", "Retries, circuit breaker, limits, hedging, shared requests, and waiting for a network."),
                    ("MartletCookies", "Cookies, and hosts that require https."),
                    ("MartletAuth", "Token providers, token stores, OAuth 2, and the interceptor that attaches and refreshes tokens."),
                    ("MartletCache", "The HTTP cache of RFC 9111 and its store in memory."),
                    ("MartletTransfers", "Downloads, uploads, streams, server-sent events and pages."),
                    ("MartletObservation", "Observers of calls: logs, metrics, analytics and traces; requests as cURL."),
                    ("MartletHAR", "Recordings of calls as HAR 1.2."),
                ]),
            Group(
                title: "Transports and the mock server",
                modules: [
                    ("MartletCurl", "The transport over libcurl, which Martlet uses on Linux."),
                    ("MartletWire", "A transport for plain http on Linux that needs less than libcurl, for calls within a cluster."),
                    ("MartletURLSession", "The transport over URLSession, which Martlet uses on Apple’s platforms."),
                    ("MartletMockServer", "The loopback server of MartletTesting, without the rest of that module."),
                ]),
        ])
}
