// MartletHAR: calls as HAR 1.2, which browsers, proxies, the inspector's page and cassettes read.
//
// - Format: an exchange of a recording, written as an entry of a HAR with secrets masked, and read from a HAR of any origin.
// - Calls: the last calls of a client, within limits, as entries and as members of the inspector's format
//   (Documentation/InspectorFormat.md).
//
// Imports: MartletObservation, which it re-exports. Start with `HARObserver`.

@_exported public import MartletObservation
