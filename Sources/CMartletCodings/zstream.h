// zlib (libz.so.1), as the decoder of content codings and the streams of messages use it.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// zlib.h's z_stream.
struct z_stream {
    const uint8_t *next_in;
    unsigned int avail_in;
    unsigned long total_in;
    uint8_t *next_out;
    unsigned int avail_out;
    unsigned long total_out;
    const char *msg;
    void *state;
    void *(*zalloc)(void *, unsigned int, unsigned int);
    void (*zfree)(void *, void *);
    void *opaque;
    int data_type;
    unsigned long adler;
    unsigned long reserved;
};

enum { Z_OK = 0, Z_STREAM_END = 1, Z_NO_FLUSH = 0, Z_SYNC_FLUSH = 2, Z_BUF_ERROR = -5, Z_DEFLATED = 8 };

// The functions of zlib that zlib_bind has found.
struct zlib_functions {
    const char *(*version)(void);
    int (*inflate_init)(struct z_stream *stream, int window_bits, const char *version, int size);
    int (*inflate)(struct z_stream *stream, int flush);
    int (*inflate_reset)(struct z_stream *stream);
    int (*inflate_end)(struct z_stream *stream);
    // It keeps the window, to which later blocks may refer.
    int (*inflate_reset_keep)(struct z_stream *stream);
    int (*deflate_init)(
        struct z_stream *stream, int level, int method, int window_bits, int memory_level, int strategy, const char *version, int size);
    int (*deflate)(struct z_stream *stream, int flush);
    int (*deflate_end)(struct z_stream *stream);
    // Whether the functions of decoders were found.
    bool decodes;
    // Whether those of message streams were found too.
    bool has_streams;
};

extern struct zlib_functions cmartlet_zlib __attribute__((visibility("hidden")));

// Finds the functions. Returns NULL, or the name of the first missing one that decoders need.
const char *cmartlet_zlib_bind(void *library) __attribute__((visibility("hidden")));

// Calls a function of zlib with as much input and room as its counters can hold, and advances all four values.
int cmartlet_zlib_step(
    struct z_stream *stream, int (*function)(struct z_stream *, int), int flush, const uint8_t **input, size_t *input_left,
    uint8_t **output, size_t *output_left) __attribute__((visibility("hidden")));
