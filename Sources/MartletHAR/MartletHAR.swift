// MartletHAR: calls as HAR 1.2, which browsers, proxies, the inspector's page and cassettes read.
//
// - Model: an exchange of a recording, and the errors that replace a response.
// - Writing: exchanges as entries of a HAR, with secrets masked.
// - Reading: the exchanges of a HAR of any origin.
// - Log: the last calls of a client, within limits.
// - Calls: the calls of a log as entries and as members of the inspector's format (Documentation/InspectorFormat.md).
//
// Imports: MartletObservation, which it re-exports. Start with `HARObserver`.

@_exported public import MartletObservation
