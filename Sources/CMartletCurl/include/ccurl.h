// What Martlet uses of libcurl, declared here so that no development package is needed to build.
//
// Names and numbers are those of curl's own headers (curl.h, multi.h, system.h), which curl promises never to change
// (https://curl.se/libcurl/abi.html). The library itself is found at run time: see ccurl_open and ccurl_resolve.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void CURL;
typedef void CURLM;
typedef int64_t curl_off_t;

enum { // CURLcode
    CURLE_OK = 0,
    CURLE_UNSUPPORTED_PROTOCOL = 1,
    CURLE_URL_MALFORMAT = 3,
    CURLE_COULDNT_RESOLVE_PROXY = 5,
    CURLE_COULDNT_RESOLVE_HOST = 6,
    CURLE_COULDNT_CONNECT = 7,
    CURLE_WEIRD_SERVER_REPLY = 8,
    CURLE_HTTP2 = 16,
    CURLE_PARTIAL_FILE = 18,
    CURLE_WRITE_ERROR = 23,
    CURLE_UPLOAD_FAILED = 25,
    CURLE_READ_ERROR = 26,
    CURLE_OUT_OF_MEMORY = 27,
    CURLE_OPERATION_TIMEDOUT = 28,
    CURLE_SSL_CONNECT_ERROR = 35,
    CURLE_ABORTED_BY_CALLBACK = 42,
    CURLE_GOT_NOTHING = 52,
    CURLE_SSL_ENGINE_NOTFOUND = 53,
    CURLE_SSL_ENGINE_SETFAILED = 54,
    CURLE_SEND_ERROR = 55,
    CURLE_RECV_ERROR = 56,
    CURLE_SSL_CERTPROBLEM = 58,
    CURLE_SSL_CIPHER = 59,
    CURLE_PEER_FAILED_VERIFICATION = 60,
    CURLE_BAD_CONTENT_ENCODING = 61,
    CURLE_USE_SSL_FAILED = 64,
    CURLE_SEND_FAIL_REWIND = 65,
    CURLE_SSL_ENGINE_INITFAILED = 66,
    CURLE_SSL_CACERT_BADFILE = 77,
    CURLE_SSL_SHUTDOWN_FAILED = 80,
    CURLE_SSL_CRL_BADFILE = 82,
    CURLE_SSL_ISSUER_ERROR = 83,
    CURLE_SSL_PINNEDPUBKEYNOTMATCH = 90,
    CURLE_SSL_INVALIDCERTSTATUS = 91,
    CURLE_HTTP2_STREAM = 92,
    CURLE_HTTP3 = 95,
    CURLE_QUIC_CONNECT_ERROR = 96,
    CURLE_PROXY = 97,
    CURLE_SSL_CLIENTCERT = 98,
    CURLE_TOO_LARGE = 100,
};

enum { // CURLoption
    CURLOPT_UPLOAD = 46,
    CURLOPT_NOBODY = 44,
    CURLOPT_FOLLOWLOCATION = 52,
    CURLOPT_FRESH_CONNECT = 74,
    CURLOPT_HTTPGET = 80,
    CURLOPT_SSLVERSION = 32,
    CURLOPT_HTTP_VERSION = 84,
    CURLOPT_BUFFERSIZE = 98,
    CURLOPT_NOSIGNAL = 99,
    CURLOPT_PROXYAUTH = 111,
    CURLOPT_CONNECTTIMEOUT_MS = 156,
    CURLOPT_PROTOCOLS = 181,
    CURLOPT_PATH_AS_IS = 234,
    CURLOPT_PIPEWAIT = 237,
    CURLOPT_PROXY_SSLVERSION = 250,
    CURLOPT_SUPPRESS_CONNECT_HEADERS = 265,
    CURLOPT_MAXAGE_CONN = 288,
    CURLOPT_MAXLIFETIME_CONN = 314,
    CURLOPT_QUICK_EXIT = 322,
    CURLOPT_WRITEDATA = 10001,
    CURLOPT_URL = 10002,
    CURLOPT_PROXY = 10004,
    CURLOPT_READDATA = 10009,
    CURLOPT_ERRORBUFFER = 10010,
    CURLOPT_HTTPHEADER = 10023,
    CURLOPT_KEYPASSWD = 10026,
    CURLOPT_HEADERDATA = 10029,
    CURLOPT_CUSTOMREQUEST = 10036,
    CURLOPT_CAINFO = 10065,
    CURLOPT_SSLCERTTYPE = 10086,
    CURLOPT_SSLKEYTYPE = 10088,
    CURLOPT_CAPATH = 10097,
    CURLOPT_PRIVATE = 10103,
    CURLOPT_SEEKDATA = 10168,
    CURLOPT_PROXYUSERNAME = 10175,
    CURLOPT_PROXYPASSWORD = 10176,
    CURLOPT_NOPROXY = 10177,
    CURLOPT_RESOLVE = 10203,
    CURLOPT_PINNEDPUBLICKEY = 10230,
    CURLOPT_UNIX_SOCKET_PATH = 10231,
    CURLOPT_PROXY_CAINFO = 10246,
    CURLOPT_PROXY_CAPATH = 10247,
    CURLOPT_PROTOCOLS_STR = 10318,
    CURLOPT_WRITEFUNCTION = 20011,
    CURLOPT_READFUNCTION = 20012,
    CURLOPT_HEADERFUNCTION = 20079,
    CURLOPT_SEEKFUNCTION = 20167,
    CURLOPT_INFILESIZE_LARGE = 30115,
    CURLOPT_SSLCERT_BLOB = 40291,
    CURLOPT_SSLKEY_BLOB = 40292,
    CURLOPT_CAINFO_BLOB = 40309,
    CURLOPT_PROXY_CAINFO_BLOB = 40310,
};

enum { // CURLMoption
    CURLMOPT_PIPELINING = 3,
    CURLMOPT_MAXCONNECTS = 6,
    CURLMOPT_MAX_HOST_CONNECTIONS = 7,
    CURLMOPT_MAX_TOTAL_CONNECTIONS = 13,
};

enum { // CURLINFO
    CURLINFO_PRIVATE = 0x100000 + 21,
    CURLINFO_PRIMARY_IP = 0x100000 + 32,
    CURLINFO_OS_ERRNO = 0x200000 + 25,
    CURLINFO_NUM_CONNECTS = 0x200000 + 26,
    CURLINFO_TOTAL_TIME_T = 0x600000 + 50,
    CURLINFO_NAMELOOKUP_TIME_T = 0x600000 + 51,
    CURLINFO_CONNECT_TIME_T = 0x600000 + 52,
    CURLINFO_STARTTRANSFER_TIME_T = 0x600000 + 54,
    CURLINFO_APPCONNECT_TIME_T = 0x600000 + 56,
};

enum {
    CURL_ERROR_SIZE = 256,
    CURL_GLOBAL_ALL = 3,
    CURL_HTTP_VERSION_1_1 = 2,
    CURL_HTTP_VERSION_2TLS = 4,
    CURL_SSLVERSION_TLSv1_2 = 6,
    CURL_SSLVERSION_TLSv1_3 = 7,
    CURLAUTH_BASIC = 1,
    CURL_BLOB_COPY = 1,
    CURLPIPE_MULTIPLEX = 2,
    CURLPROTO_HTTP = 1,
    CURLPROTO_HTTPS = 2,
    CURLPAUSE_CONT = 0,
    CURLPAUSE_RECV = 1,
    CURLPAUSE_SEND = 4,
    CURL_WRITEFUNC_PAUSE = 0x10000001,
    CURL_READFUNC_ABORT = 0x10000000,
    CURL_READFUNC_PAUSE = 0x10000001,
    CURL_SEEKFUNC_OK = 0,
    CURL_SEEKFUNC_FAIL = 1,
    CURLMSG_DONE = 1,
    CURL_WAIT_POLLIN = 1,
};

struct curl_blob {
    void *data;
    size_t len;
    unsigned int flags;
};

struct curl_slist {
    char *data;
    struct curl_slist *next;
};

typedef struct CURLMsg {
    int msg;
    CURL *easy_handle;
    union {
        void *whatever;
        int result;
    } data;
} CURLMsg;

struct curl_waitfd {
    int fd;
    short events;
    short revents;
};

/// The first members of curl's structure of this name: it only ever grows at the end.
typedef struct curl_version_info_data {
    int age;
    const char *version;
    unsigned int version_num;
} curl_version_info_data;

typedef size_t (*ccurl_data_callback)(char *buffer, size_t size, size_t count, void *context);
typedef int (*ccurl_seek_callback)(void *context, curl_off_t offset, int origin);

/// The functions of the library that was found.
struct ccurl_functions {
    int (*global_init)(long flags);
    curl_version_info_data *(*version_info)(int age);
    CURL *(*easy_init)(void);
    void (*easy_cleanup)(CURL *easy);
    int (*easy_setopt)(CURL *easy, int option, ...);
    int (*easy_getinfo)(CURL *easy, int info, ...);
    int (*easy_pause)(CURL *easy, int bitmask);
    const char *(*easy_strerror)(int code);
    CURLM *(*multi_init)(void);
    int (*multi_cleanup)(CURLM *multi);
    int (*multi_setopt)(CURLM *multi, int option, ...);
    int (*multi_add_handle)(CURLM *multi, CURL *easy);
    int (*multi_remove_handle)(CURLM *multi, CURL *easy);
    int (*multi_perform)(CURLM *multi, int *running);
    int (*multi_poll)(CURLM *multi, struct curl_waitfd *extra, unsigned int count, int timeout, int *ready);
    CURLMsg *(*multi_info_read)(CURLM *multi, int *left);
};

/// Opens a shared library by its name; NULL when it is not there. It is never closed.
void *ccurl_open(const char *name);

/// Fills the table from an open library. Gives NULL, or the name of the first function that is missing.
const char *ccurl_resolve(void *library, struct ccurl_functions *table);

// curl_easy_setopt and its siblings are variadic, which Swift can't call: one function for each type of value.

static inline int ccurl_set_long(const struct ccurl_functions *curl, CURL *easy, int option, long value) {
    return curl->easy_setopt(easy, option, value);
}

static inline int ccurl_set_offset(const struct ccurl_functions *curl, CURL *easy, int option, curl_off_t value) {
    return curl->easy_setopt(easy, option, value);
}

static inline int ccurl_set_string(const struct ccurl_functions *curl, CURL *easy, int option, const char *value) {
    return curl->easy_setopt(easy, option, value);
}

static inline int ccurl_set_pointer(const struct ccurl_functions *curl, CURL *easy, int option, void *value) {
    return curl->easy_setopt(easy, option, value);
}

static inline int ccurl_set_data_callback(const struct ccurl_functions *curl, CURL *easy, int option, ccurl_data_callback value) {
    return curl->easy_setopt(easy, option, value);
}

static inline int ccurl_set_seek_callback(const struct ccurl_functions *curl, CURL *easy, int option, ccurl_seek_callback value) {
    return curl->easy_setopt(easy, option, value);
}

static inline int ccurl_set_bytes(const struct ccurl_functions *curl, CURL *easy, int option, const void *bytes, size_t count) {
    struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_COPY};
    return curl->easy_setopt(easy, option, &blob);
}

static inline curl_off_t ccurl_get_offset(const struct ccurl_functions *curl, CURL *easy, int info) {
    curl_off_t value = 0;
    return curl->easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

static inline long ccurl_get_long(const struct ccurl_functions *curl, CURL *easy, int info) {
    long value = 0;
    return curl->easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

static inline void *ccurl_get_pointer(const struct ccurl_functions *curl, CURL *easy, int info) {
    void *value = NULL;
    return curl->easy_getinfo(easy, info, &value) == CURLE_OK ? value : NULL;
}

static inline int ccurl_multi_set_long(const struct ccurl_functions *curl, CURLM *multi, int option, long value) {
    return curl->multi_setopt(multi, option, value);
}

// The few things of the system that an engine needs and Swift can't say in the same words everywhere.

/// Starts a detached thread on which every signal is blocked, so that a broken TLS connection can't raise SIGPIPE.
bool ccurl_start_thread(void (*run)(void *context), void *context);

/// Stops the calling thread for good. What it holds stays as it is.
_Noreturn void ccurl_park_thread(void);

/// Waits a moment.
void ccurl_pause_microseconds(unsigned int count);

/// Calls `run` when the process exits, before anything that was registered earlier.
void ccurl_at_exit(void (*run)(void));

/// How often this process has been forked from one that had called `ccurl_count_forks`: a child sees another number.
unsigned int ccurl_forks(void);

/// Says that this process has started an engine's thread.
void ccurl_note_engine(void);

/// Whether this process, and not only one that it was forked from, has said so.
bool ccurl_has_engine(void);

/// Begins to count forks. Once for each process.
void ccurl_count_forks(void);

/// A descriptor pair by which one thread wakes another from `poll`.
struct ccurl_alarm {
    int wait;
    int ring;
};

/// Makes an alarm; false when the process has no descriptors left.
bool ccurl_alarm_open(struct ccurl_alarm *alarm);
void ccurl_alarm_close(const struct ccurl_alarm *alarm);
void ccurl_alarm_ring(const struct ccurl_alarm *alarm);
void ccurl_alarm_clear(const struct ccurl_alarm *alarm);
