// The functions of the system's decompressors that Martlet uses, declared here so that building needs no development package.
//
// The libraries are loaded at run time: zlib (libz.so.1, also in cdeflate.h), brotli (libbrotlidec.so.1) and zstd (libzstd.so.1). These
// names fix their functions and structures.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A format that can be decoded.
enum cdecode_format {
    CDECODE_GZIP,
    CDECODE_ZLIB,
    CDECODE_RAW_DEFLATE,
    CDECODE_BROTLI,
    CDECODE_ZSTD,
};

/// The result of one decoding step.
enum cdecode_result {
    /// No error: the decoder needs more input or more room.
    CDECODE_GOING,
    /// The compressed data is complete.
    CDECODE_END,
    /// The data is invalid.
    CDECODE_BROKEN,
};

struct cdecode;

/// Finds the functions of a format in an open library. Returns NULL, or the name of the first missing function. Call it before any other
/// function here, and on one thread.
const char *cdecode_bind(enum cdecode_format format, void *library);

/// Whether the library for a format was found.
bool cdecode_has(enum cdecode_format format);

/// Creates a decoder. Returns NULL if the library is missing or memory is exhausted.
struct cdecode *cdecode_open(enum cdecode_format format);

/// Decodes as much as the input and the room allow, and advances all four values.
enum cdecode_result cdecode_step(
    struct cdecode *decoder, const uint8_t **input, size_t *input_left, uint8_t **output, size_t *output_left);

/// Restarts the decoder after the end for the next member. Returns false if the format has no members.
bool cdecode_next_member(struct cdecode *decoder);

void cdecode_close(struct cdecode *decoder);
