#pragma once

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
