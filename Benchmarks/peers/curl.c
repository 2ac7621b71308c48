// The baselines of the benchmark: libcurl's multi interface with curl_multi_poll, one thread. `plain` is libcurl with its defaults, which counts
// the bytes of bodies and keeps none. `alike` does what a client does: it keeps each body until its call ends, offers codings, and has the
// buffer that is the fastest for the work. Usage and output: Benchmarks/driver/README.md. Build: cc -O2 curl.c -lcurl
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#define MOST_CONNECTIONS 64L
#define UPLOAD_BYTES (1L << 20)

static const char *authority;
static char url[512], upload[UPLOAD_BYTES];
static struct curl_slist *json_type;
static const char query[] = "{\"query\":\"query Bird($id: ID!) { bird(id: $id) { name } }\",\"variables\":{\"id\":\"1\"}}";
static long long bytes;
static int is_alike;

// The body of a response.
struct body { CURL *easy; char *bytes; size_t length, capacity; };

// The fastest buffers of 16, 64, 256 and 512 KiB, measured three times; for small responses the smaller two are alike.
static long receive_buffer(const char *work) { return !strcmp(work, "1g") || !strcmp(work, "100k") ? 256L << 10 : 16L << 10; }
static const long upload_buffer = 512L << 10;
static char protocol[16];
static size_t protocol_length;

static void fail(const char *reason) { fprintf(stderr, "%s\n", reason); exit(1); }

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static double cpu(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static long memory(const char *name) {
    FILE *file = fopen("/proc/self/status", "r");
    char line[256];
    long kilobytes = 0;
    while (file && fgets(line, sizeof line, file))
        if (!strncmp(line, name, strlen(name))) kilobytes = atol(line + strlen(name) + 1);
    if (file) fclose(file);
    return kilobytes;
}

static size_t counted(char *data, size_t size, size_t count, void *context) {
    struct body *body = context;
    size_t length = size * count;
    bytes += length;
    if (!body) return length;
    if (body->length + length > body->capacity) {
        curl_off_t announced = 0;
        if (!body->capacity) curl_easy_getinfo(body->easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &announced);
        size_t capacity = body->capacity ? body->capacity * 2 : announced > 0 ? (size_t)announced : 4096;
        while (capacity < body->length + length) capacity *= 2;
        body->bytes = realloc(body->bytes, body->capacity = capacity);
        if (!body->bytes) fail("no memory");
    }
    memcpy(body->bytes + body->length, data, length);
    body->length += length;
    return length;
}

static size_t kept(char *data, size_t size, size_t count, void *context) {
    (void)context;
    size_t room = sizeof protocol - 1 - protocol_length, length = size * count < room ? size * count : room;
    memcpy(protocol + protocol_length, data, length);
    protocol_length += length;
    return size * count;
}

static CURL *handle(const char *path) {
    CURL *easy = curl_easy_init();
    snprintf(url, sizeof url, "%s%s", authority, path);
    curl_easy_setopt(easy, CURLOPT_URL, url);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_PIPEWAIT, 1L);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, counted);
    if (is_alike) curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "gzip, deflate");
    if (getenv("BENCHMARK_CA")) curl_easy_setopt(easy, CURLOPT_CAINFO, getenv("BENCHMARK_CA"));
    return easy;
}

static void prepare(CURL *easy, const char *work) {
    snprintf(url, sizeof url, "%s/%s", authority, work);
    curl_easy_setopt(easy, CURLOPT_URL, url);
    if (is_alike) {
        curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, receive_buffer(work));
        curl_easy_setopt(easy, CURLOPT_UPLOAD_BUFFERSIZE, upload_buffer);
        // A download and a stream are read in pieces, which nobody keeps.
        int keeps = strcmp(work, "1g") && strcmp(work, "events");
        struct body *body = keeps ? calloc(1, sizeof *body) : NULL;
        if (body) body->easy = easy;
        curl_easy_setopt(easy, CURLOPT_WRITEDATA, body);
        curl_easy_setopt(easy, CURLOPT_PRIVATE, body);
    } else {
        curl_easy_setopt(easy, CURLOPT_WRITEDATA, NULL);
    }
    if (!strcmp(work, "upload")) {
        curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE, UPLOAD_BYTES);
        curl_easy_setopt(easy, CURLOPT_POSTFIELDS, upload);
    } else if (!strcmp(work, "graphql")) {
        curl_easy_setopt(easy, CURLOPT_POSTFIELDS, query);
        curl_easy_setopt(easy, CURLOPT_HTTPHEADER, json_type);
    }
}

// Frees the body of a call that has ended.
static void forget_body(CURL *easy) {
    struct body *body = NULL;
    curl_easy_getinfo(easy, CURLINFO_PRIVATE, (char **)&body);
    if (!body) return;
    free(body->bytes);
    *body = (struct body){.easy = easy};
}

// Sends requests with all handles, each again until the time `end` or, if that is zero, until `most` are sent. Returns their number.
static long drive(CURLM *multi, CURL **handles, int count, double end, long most) {
    long done = 0, begun = count < most || end ? count : most;
    int active = begun, running, left;
    for (int i = 0; i < begun; i++) curl_multi_add_handle(multi, handles[i]);
    while (active > 0) {
        if (curl_multi_perform(multi, &running) != CURLM_OK) fail("curl_multi_perform");
        CURLMsg *message;
        while ((message = curl_multi_info_read(multi, &left))) {
            if (message->msg != CURLMSG_DONE) continue;
            CURL *easy = message->easy_handle;
            long status = 0;
            if (message->data.result != CURLE_OK) fail(curl_easy_strerror(message->data.result));
            curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
            if (status / 100 != 2) fail("the status is not 2xx");
            done++;
            forget_body(easy);
            curl_multi_remove_handle(multi, easy);
            int again = end ? now() < end : begun < most;
            if (again) begun++, curl_multi_add_handle(multi, easy); else active--;
        }
        // libcurl 7.88 sometimes leaves a handle that waited for a connection until the next call of curl_multi_perform, even if that is
        // the only one left. Measured with a second here: 1 of 40 runs of 0.3 s with 1,000 in flight took a second longer.
        if (active > 0) curl_multi_poll(multi, NULL, 0, 10, NULL);
    }
    return done;
}

int main(int argc, char **argv) {
    if (argc != 6) fail("usage: curl plain|alike WORK ORIGIN IN-FLIGHT SECONDS|CALLSx");
    is_alike = !strcmp(argv[1], "alike");
    const char *work = argv[2];
    authority = argv[3];
    int count = atoi(argv[4]);
    long calls = strchr(argv[5], 'x') ? atol(argv[5]) : 0;
    double amount = atof(argv[5]);
    curl_global_init(CURL_GLOBAL_ALL);
    json_type = curl_slist_append(NULL, "Content-Type: application/json");
    CURLM *multi = curl_multi_init();
    curl_multi_setopt(multi, CURLMOPT_MAX_HOST_CONNECTIONS, MOST_CONNECTIONS);
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, 2 * MOST_CONNECTIONS);
    CURL *first = handle("/protocol");
    curl_easy_setopt(first, CURLOPT_WRITEFUNCTION, kept);
    drive(multi, &first, 1, 0, 1);
    CURL **handles = calloc(count, sizeof *handles);
    long idle = memory("VmRSS");
    const char *warm = !strcmp(work, "1g") || !strcmp(work, "events") ? "1k" : work;
    for (int i = 0; i < count; i++) prepare(handles[i] = handle(""), warm);
    drive(multi, handles, count, calls ? 0 : now() + amount / 4, count);
    for (int i = 0; i < count; i++) prepare(handles[i], work);
    double began = now(), used = cpu();
    bytes = 0;
    long done = drive(multi, handles, count, calls ? 0 : began + amount, calls);
    double seconds = now() - began;
    printf(
        "{\"requests\":%ld,\"seconds\":%f,\"cpu\":%f,\"bytes\":%lld,\"idle\":%ld,\"peak\":%ld,\"protocol\":\"%s\",\"version\":\"%s\"}\n", done,
        seconds, cpu() - used, bytes, idle, memory("VmHWM"), protocol, curl_version_info(CURLVERSION_NOW)->version);
    return 0;
}
