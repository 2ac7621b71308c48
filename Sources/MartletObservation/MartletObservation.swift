// MartletObservation: what observers of calls write: metrics, traces, analytics, HAR files and cURL commands.
//
// - Metrics: counts and durations of calls, and their text for Prometheus.
// - Tracing: spans of calls and attempts, and their export by OTLP.
// - HAR: the model of HAR 1.2, and its writer.
// - Commands: requests as cURL commands.
//
// Imports: MartletClient, which it re-exports. Start with `CallObserver`.

@_exported public import MartletClient
