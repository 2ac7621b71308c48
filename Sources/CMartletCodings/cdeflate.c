#include "cdeflate.h"
#include "zstream.h"

#include <limits.h>
#include <stdlib.h>

bool cdeflate_is_available(void) { return cmartlet_zlib.has_streams; }

struct cdeflate {
    bool compresses;
    struct z_stream stream;
};

// zlib's own default level and strategy.
enum { default_level = -1, default_strategy = 0 };

static struct cdeflate *open_stream(bool compresses, int window_bits) {
    if (!cmartlet_zlib.has_streams || window_bits < 8 || window_bits > 15) return NULL;
    struct cdeflate *stream = calloc(1, sizeof *stream);
    if (!stream) return NULL;
    stream->compresses = compresses;
    int size = (int)sizeof stream->stream;
    // zlib's default is 8 for a window of 15. A small window needs little memory beside it.
    int memory_level = window_bits - 7;
    const char *version = cmartlet_zlib.version();
    int code = compresses
        ? cmartlet_zlib.deflate_init(
            &stream->stream, default_level, Z_DEFLATED, -window_bits, memory_level, default_strategy, version, size)
        : cmartlet_zlib.inflate_init(&stream->stream, -window_bits, version, size);
    if (code == Z_OK) return stream;
    free(stream);
    return NULL;
}

struct cdeflate *cdeflate_open_compressor(int window_bits) {
    // zlib has no compressor with a window of 2^8 bytes.
    return window_bits < 9 ? NULL : open_stream(true, window_bits);
}

struct cdeflate *cdeflate_open_expander(int window_bits) { return open_stream(false, window_bits); }

bool cdeflate_compress(struct cdeflate *stream, const uint8_t **input, size_t *input_left, uint8_t **output, size_t *output_left) {
    int flush = *input_left > UINT_MAX ? Z_NO_FLUSH : Z_SYNC_FLUSH;
    int code = cmartlet_zlib_step(&stream->stream, cmartlet_zlib.deflate, flush, input, input_left, output, output_left);
    // Z_BUF_ERROR: there was nothing left to flush.
    return code == Z_OK || code == Z_BUF_ERROR;
}

bool cdeflate_expand(struct cdeflate *stream, const uint8_t **input, size_t *input_left, uint8_t **output, size_t *output_left) {
    while (true) {
        int code = cmartlet_zlib_step(&stream->stream, cmartlet_zlib.inflate, Z_SYNC_FLUSH, input, input_left, output, output_left);
        if (code == Z_OK || code == Z_BUF_ERROR) return true;
        // RFC 7692 section 7.2.3.4: a message may have final blocks.
        if (code != Z_STREAM_END || cmartlet_zlib.inflate_reset_keep(&stream->stream) != Z_OK) return false;
        if (*input_left == 0 || *output_left == 0) return true;
    }
}

void cdeflate_close(struct cdeflate *stream) {
    if (stream->compresses) {
        cmartlet_zlib.deflate_end(&stream->stream);
    } else {
        cmartlet_zlib.inflate_end(&stream->stream);
    }
    free(stream);
}
