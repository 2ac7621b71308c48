// What Martlet uses of the system's decompressors, declared here so that no development package is needed to build.
//
// The libraries are found at run time: zlib (libz.so.1), brotli (libbrotlidec.so.1) and zstd (libzstd.so.1), whose functions and
// structures are fixed by those names.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A format that can be undone.
enum cdecode_format {
    CDECODE_GZIP,
    CDECODE_ZLIB,
    CDECODE_RAW_DEFLATE,
    CDECODE_BROTLI,
    CDECODE_ZSTD,
};

/// What a step came to.
enum cdecode_result {
    /// Nothing is wrong: it wants more bytes, or more room.
    CDECODE_GOING,
    /// The compressed data is at its end.
    CDECODE_END,
    /// The bytes are not what they should be.
    CDECODE_BROKEN,
};

struct cdecode;

/// Looks for the libraries. Once for each process, before anything else here.
void cdecode_bind(void);

/// Whether the library for a format was found.
bool cdecode_has(enum cdecode_format format);

/// Makes a decoder; NULL when there is no library for it, or no memory.
struct cdecode *cdecode_open(enum cdecode_format format);

/// Decodes as much as there are bytes and room for, moving all four along.
enum cdecode_result cdecode_step(
    struct cdecode *decoder, const uint8_t **input, size_t *input_left, uint8_t **output, size_t *output_left);

/// Begins anew behind the end, for the next member of the same format. False when the format has no members.
bool cdecode_next_member(struct cdecode *decoder);

void cdecode_close(struct cdecode *decoder);
