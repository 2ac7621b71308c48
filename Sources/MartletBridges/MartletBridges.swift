// MartletBridges: Martlet beside packages that apps already use. Each folder is a bridge, and is empty unless its trait is enabled.
//
// - SwiftLog: the log of calls over `Logger`.
// - SwiftMetrics: the metrics of calls over a `MetricsFactory`.
// - SwiftTracing: the spans of calls over a `Tracer` of swift-distributed-tracing.
// - SwiftHTTPTypes: conversions to and from swift-http-types.
// - SwiftServiceLifecycle: a client as a `Service`.
// - SwiftConfiguration: configurations from a `ConfigReader`.
// - SwiftOpenAPI: the transport of code that swift-openapi-generator writes.
// - AsyncHTTPClient: a transport over an `HTTPClient` of async-http-client.
//
// Imports: MartletCodings, MartletObservation, MartletTransfers, and with a trait its package.
