// MartletCodings: content codings (RFC 9110 §8.4), decoded with the system's zlib, brotli and zstd, which are loaded at run time, and
// streams of compressed messages.
//
// Imports: MartletHTTP, MartletSystem and CMartletCodings. Start with `ContentDecoder` and `DeflateStream`.
