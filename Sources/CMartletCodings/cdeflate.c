#define _GNU_SOURCE
#include "cdeflate.h"
#include "zstream.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>

static struct {
    const char *(*version)(void);
    int (*deflate_init)(
        struct z_stream *stream, int level, int method, int window_bits, int memory_level, int strategy, const char *version, int size);
    int (*deflate)(struct z_stream *stream, int flush);
    int (*deflate_end)(struct z_stream *stream);
    int (*inflate_init)(struct z_stream *stream, int window_bits, const char *version, int size);
    int (*inflate)(struct z_stream *stream, int flush);
    int (*inflate_reset)(struct z_stream *stream);
    int (*inflate_end)(struct z_stream *stream);
    bool is_there;
} zlib;

const char *cdeflate_bind(void *library) {
    zlib.is_there = false;
#define FIND(member, name) \
    if (!(*(void **)(&member) = dlsym(library, name))) return name;
    FIND(zlib.version, "zlibVersion")
    FIND(zlib.deflate_init, "deflateInit2_")
    FIND(zlib.deflate, "deflate")
    FIND(zlib.deflate_end, "deflateEnd")
    FIND(zlib.inflate_init, "inflateInit2_")
    FIND(zlib.inflate, "inflate")
    // It keeps the window, to which later blocks may refer.
    FIND(zlib.inflate_reset, "inflateResetKeep")
    FIND(zlib.inflate_end, "inflateEnd")
#undef FIND
    zlib.is_there = true;
    return NULL;
}

bool cdeflate_is_available(void) { return zlib.is_there; }

struct cdeflate {
    bool compresses;
    struct z_stream stream;
};

// zlib's own default level and strategy.
enum { default_level = -1, default_strategy = 0 };

static struct cdeflate *open_stream(bool compresses, int window_bits) {
    if (!zlib.is_there || window_bits < 8 || window_bits > 15) return NULL;
    struct cdeflate *stream = calloc(1, sizeof *stream);
    if (!stream) return NULL;
    stream->compresses = compresses;
    int size = (int)sizeof stream->stream;
    // zlib's default is 8 for a window of 15. A small window needs little memory beside it.
    int memory_level = window_bits - 7;
    int code = compresses ? zlib.deflate_init(
                                &stream->stream, default_level, Z_DEFLATED, -window_bits, memory_level, default_strategy, zlib.version(),
                                size)
                          : zlib.inflate_init(&stream->stream, -window_bits, zlib.version(), size);
    if (code == Z_OK) return stream;
    free(stream);
    return NULL;
}

struct cdeflate *cdeflate_open_compressor(int window_bits) {
    // zlib has no compressor with a window of 2^8 bytes.
    return window_bits < 9 ? NULL : open_stream(true, window_bits);
}

struct cdeflate *cdeflate_open_expander(int window_bits) { return open_stream(false, window_bits); }

// Calls a function of zlib with as much input and room as its counters can hold, and advances all four values.
static int step(
    struct z_stream *stream, int (*function)(struct z_stream *, int), int flush, const uint8_t **input, size_t *input_left,
    uint8_t **output, size_t *output_left) {
    unsigned int given = *input_left > UINT_MAX ? UINT_MAX : (unsigned int)*input_left;
    unsigned int room = *output_left > UINT_MAX ? UINT_MAX : (unsigned int)*output_left;
    stream->next_in = *input;
    stream->avail_in = given;
    stream->next_out = *output;
    stream->avail_out = room;
    int code = function(stream, flush);
    *input = stream->next_in;
    *input_left -= given - stream->avail_in;
    *output = stream->next_out;
    *output_left -= room - stream->avail_out;
    return code;
}

bool cdeflate_compress(struct cdeflate *stream, const uint8_t **input, size_t *input_left, uint8_t **output, size_t *output_left) {
    int flush = *input_left > UINT_MAX ? Z_NO_FLUSH : Z_SYNC_FLUSH;
    int code = step(&stream->stream, zlib.deflate, flush, input, input_left, output, output_left);
    // Z_BUF_ERROR: there was nothing left to flush.
    return code == Z_OK || code == Z_BUF_ERROR;
}

bool cdeflate_expand(struct cdeflate *stream, const uint8_t **input, size_t *input_left, uint8_t **output, size_t *output_left) {
    while (true) {
        int code = step(&stream->stream, zlib.inflate, Z_SYNC_FLUSH, input, input_left, output, output_left);
        if (code == Z_OK || code == Z_BUF_ERROR) return true;
        // RFC 7692 section 7.2.3.4: a message may have final blocks.
        if (code != Z_STREAM_END || zlib.inflate_reset(&stream->stream) != Z_OK) return false;
        if (*input_left == 0 || *output_left == 0) return true;
    }
}

void cdeflate_close(struct cdeflate *stream) {
    if (stream->compresses) {
        zlib.deflate_end(&stream->stream);
    } else {
        zlib.inflate_end(&stream->stream);
    }
    free(stream);
}
