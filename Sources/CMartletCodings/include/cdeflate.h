// Streams of DEFLATE blocks without a header (RFC 1951), compressed and expanded message by message (RFC 7692).
//
// zlib (libz.so.1) is loaded at run time.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cdeflate;

/// Whether zlib was found. Call cdecode_bind for one of its formats before any function here.
bool cdeflate_is_available(void);

/// Creates a compressor with a window of 2^9 to 2^15 bytes. Returns NULL if the library is missing or memory is exhausted.
struct cdeflate *cdeflate_open_compressor(int window_bits);

/// Creates an expander for windows of at most this size. Returns NULL if the library is missing or memory is exhausted.
struct cdeflate *cdeflate_open_expander(int window_bits);

/// Compresses input and flushes it to the end of a byte, and advances all four values. It is complete when there is no input and still
/// room. Returns false if the stream cannot be used any more.
bool cdeflate_compress(struct cdeflate *stream, const uint8_t **input, size_t *input_left, uint8_t **output, size_t *output_left);

/// Expands as much as the input and the room allow, also beyond a final block, and advances all four values. Returns false if the data is
/// invalid.
bool cdeflate_expand(struct cdeflate *stream, const uint8_t **input, size_t *input_left, uint8_t **output, size_t *output_left);

void cdeflate_close(struct cdeflate *stream);
