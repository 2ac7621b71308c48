// MartletJSON: a JSON parser with Codable coding and `JSONValue`, and a scanner for arrays that arrive in chunks.
//
// - Index: the parser, which builds an index of a document's values, and tables of names and types.
// - Numbers: reading numbers.
// - Decoding, Encoding: `JSONBodyDecoder` and `JSONBodyEncoder`, and `JSONReader` for types that need no containers.
// - Values: `JSONValue` and its parts, which share the index of their document.
// - Streaming: the elements of an array that arrives in chunks.
//
// Imports: MartletEssentials. Start with `JSONBodyDecoder` and `JSONIndexer`.
