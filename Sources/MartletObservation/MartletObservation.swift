// MartletObservation: what observers of calls write: logs, metrics, traces, analytics and cURL commands.
//
// - Logging: lines of a log for each call or request, without secrets.
// - Metrics: counts and durations of calls, and their text for Prometheus.
// - Tracing: spans of calls and attempts, and their export by OTLP.
// - `AnalyticsObserver`: one event for each call, for an analytics service.
// - `CurlCommand`: requests as cURL commands.
//
// Imports: MartletClient, which it re-exports. Start with `CallObserver`.

@_exported public import MartletClient
