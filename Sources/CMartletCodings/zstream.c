#define _GNU_SOURCE
#include "zstream.h"

#include <dlfcn.h>
#include <limits.h>

struct zlib_functions cmartlet_zlib;

static bool find(void *function, void *library, const char *name) { return (*(void **)function = dlsym(library, name)) != NULL; }

const char *cmartlet_zlib_bind(void *library) {
    struct zlib_functions found = {0};
    cmartlet_zlib = found;
    if (!find(&found.version, library, "zlibVersion")) return "zlibVersion";
    if (!find(&found.inflate_init, library, "inflateInit2_")) return "inflateInit2_";
    if (!find(&found.inflate, library, "inflate")) return "inflate";
    if (!find(&found.inflate_reset, library, "inflateReset")) return "inflateReset";
    if (!find(&found.inflate_end, library, "inflateEnd")) return "inflateEnd";
    found.decodes = true;
    found.has_streams = find(&found.inflate_reset_keep, library, "inflateResetKeep") && find(&found.deflate_init, library, "deflateInit2_")
        && find(&found.deflate, library, "deflate") && find(&found.deflate_end, library, "deflateEnd");
    cmartlet_zlib = found;
    return NULL;
}

int cmartlet_zlib_step(
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
