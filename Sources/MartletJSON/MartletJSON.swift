// MartletJSON: one JSON parser (RFC 8259) with Codable coding and `JSONValue`.
//
// - Index: the parser, which validates a document and indexes its values.
// - Numbers, Values: numbers as text, and `JSONValue`.
// - Decoding, Encoding: `Codable` over the index.
// - Streaming: the elements of an array while it arrives.
//
// Imports: FoundationEssentials only. Start with `JSONBodyDecoder` and `JSONValue`.
