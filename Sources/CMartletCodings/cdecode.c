#define _GNU_SOURCE
#include "cdecode.h"
#include "zstream.h"

#include <dlfcn.h>
#include <stdlib.h>

// zstd.h's ZSTD_inBuffer and ZSTD_outBuffer.
struct zstd_input {
    const void *src;
    size_t size;
    size_t pos;
};

struct zstd_output {
    void *dst;
    size_t size;
    size_t pos;
};

enum { ZSTD_d_windowLogMax = 100, BROTLI_DECODER_RESULT_ERROR = 0, BROTLI_DECODER_RESULT_SUCCESS = 1 };

// RFC 9659: a decoder must not be asked for a window of more than 8 MiB.
enum { largest_window_log = 23 };

static struct {
    void *(*create)(void *allocate, void *release, void *opaque);
    int (*step)(void *state, size_t *input_left, const uint8_t **input, size_t *output_left, uint8_t **output, size_t *total);
    void (*destroy)(void *state);
    bool is_there;
} brotli;

static struct {
    void *(*create)(void);
    size_t (*set)(void *state, int parameter, int value);
    size_t (*step)(void *state, struct zstd_output *output, struct zstd_input *input);
    unsigned int (*is_error)(size_t code);
    size_t (*destroy)(void *state);
    bool is_there;
} zstd;

#define FIND(member, name) \
    if (!(*(void **)(&member) = dlsym(library, name))) return name;

static const char *bind_brotli(void *library) {
    brotli.is_there = false;
    FIND(brotli.create, "BrotliDecoderCreateInstance")
    FIND(brotli.step, "BrotliDecoderDecompressStream")
    FIND(brotli.destroy, "BrotliDecoderDestroyInstance")
    brotli.is_there = true;
    return NULL;
}

static const char *bind_zstd(void *library) {
    zstd.is_there = false;
    FIND(zstd.create, "ZSTD_createDStream")
    FIND(zstd.set, "ZSTD_DCtx_setParameter")
    FIND(zstd.step, "ZSTD_decompressStream")
    FIND(zstd.is_error, "ZSTD_isError")
    FIND(zstd.destroy, "ZSTD_freeDStream")
#undef FIND
    zstd.is_there = true;
    return NULL;
}

const char *cdecode_bind(enum cdecode_format format, void *library) {
    switch (format) {
    case CDECODE_BROTLI: return bind_brotli(library);
    case CDECODE_ZSTD: return bind_zstd(library);
    default: return cmartlet_zlib_bind(library);
    }
}

bool cdecode_has(enum cdecode_format format) {
    switch (format) {
    case CDECODE_BROTLI: return brotli.is_there;
    case CDECODE_ZSTD: return zstd.is_there;
    default: return cmartlet_zlib.decodes;
    }
}

struct cdecode {
    enum cdecode_format format;
    void *state;
    struct z_stream stream;
};

static bool prepare(struct cdecode *decoder) {
    int window_bits = 15;
    switch (decoder->format) {
    case CDECODE_BROTLI: return (decoder->state = brotli.create(NULL, NULL, NULL)) != NULL;
    case CDECODE_ZSTD:
        decoder->state = zstd.create();
        return decoder->state && !zstd.is_error(zstd.set(decoder->state, ZSTD_d_windowLogMax, largest_window_log));
    case CDECODE_GZIP: window_bits += 16; break;
    case CDECODE_RAW_DEFLATE: window_bits = -window_bits; break;
    case CDECODE_ZLIB: break;
    }
    int code = cmartlet_zlib.inflate_init(&decoder->stream, window_bits, cmartlet_zlib.version(), (int)sizeof decoder->stream);
    if (code != Z_OK) return false;
    decoder->state = &decoder->stream;
    return true;
}

struct cdecode *cdecode_open(enum cdecode_format format) {
    if (!cdecode_has(format)) return NULL;
    struct cdecode *decoder = calloc(1, sizeof *decoder);
    if (!decoder) return NULL;
    decoder->format = format;
    if (prepare(decoder)) return decoder;
    cdecode_close(decoder);
    return NULL;
}

static enum cdecode_result step_zlib(
    struct z_stream *stream, const uint8_t **input, size_t *input_left, uint8_t **output, size_t *output_left) {
    int code = cmartlet_zlib_step(stream, cmartlet_zlib.inflate, Z_NO_FLUSH, input, input_left, output, output_left);
    if (code == Z_STREAM_END) return CDECODE_END;
    return code == Z_OK || code == Z_BUF_ERROR ? CDECODE_GOING : CDECODE_BROKEN;
}

static enum cdecode_result step_zstd(
    void *state, const uint8_t **input, size_t *input_left, uint8_t **output, size_t *output_left) {
    struct zstd_input from = {*input, *input_left, 0};
    struct zstd_output into = {*output, *output_left, 0};
    size_t code = zstd.step(state, &into, &from);
    *input += from.pos;
    *input_left -= from.pos;
    *output += into.pos;
    *output_left -= into.pos;
    if (zstd.is_error(code)) return CDECODE_BROKEN;
    return code == 0 ? CDECODE_END : CDECODE_GOING;
}

enum cdecode_result cdecode_step(
    struct cdecode *decoder, const uint8_t **input, size_t *input_left, uint8_t **output, size_t *output_left) {
    switch (decoder->format) {
    case CDECODE_ZSTD: return step_zstd(decoder->state, input, input_left, output, output_left);
    case CDECODE_BROTLI:
        switch (brotli.step(decoder->state, input_left, input, output_left, output, NULL)) {
        case BROTLI_DECODER_RESULT_ERROR: return CDECODE_BROKEN;
        case BROTLI_DECODER_RESULT_SUCCESS: return CDECODE_END;
        default: return CDECODE_GOING;
        }
    default: return step_zlib(&decoder->stream, input, input_left, output, output_left);
    }
}

bool cdecode_next_member(struct cdecode *decoder) {
    switch (decoder->format) {
    case CDECODE_GZIP: return cmartlet_zlib.inflate_reset(&decoder->stream) == Z_OK;
    case CDECODE_ZSTD: return true;
    default: return false;
    }
}

void cdecode_close(struct cdecode *decoder) {
    if (decoder->state) {
        switch (decoder->format) {
        case CDECODE_BROTLI: brotli.destroy(decoder->state); break;
        case CDECODE_ZSTD: zstd.destroy(decoder->state); break;
        default: cmartlet_zlib.inflate_end(&decoder->stream);
        }
    }
    free(decoder);
}
