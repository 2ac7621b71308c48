// The functions of libcurl that Martlet calls. The library is loaded at run time: see ccurl_resolve.
#pragma once

#include "curl_abi.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef size_t (*ccurl_data_callback)(char *buffer, size_t size, size_t count, void *context);
typedef int (*ccurl_seek_callback)(void *context, curl_off_t offset, int origin);
typedef int (*ccurl_trailer_callback)(struct curl_slist **list, void *context);
typedef int (*ccurl_socket_callback)(void *context, int purpose, struct curl_sockaddr *address);
typedef int (*ccurl_progress_callback)(
    void *context, curl_off_t download_total, curl_off_t downloaded, curl_off_t upload_total, curl_off_t uploaded);
typedef int (*ccurl_debug_callback)(CURL *easy, int type, char *text, size_t count, void *context);
typedef int (*ccurl_poll_callback)(CURL *easy, int socket, int interest, void *context, void *socket_context);
typedef int (*ccurl_timer_callback)(CURLM *multi, long milliseconds, void *context);
typedef int (*ccurl_ready_callback)(void *context, char *remote, char *local, int remote_port, int local_port);

/// libcurl's functions that Martlet calls: result, name without `curl_`, parameters.
#define CCURL_FUNCTIONS(F) \
    F(int, global_init, (long flags)) \
    F(curl_version_info_data *, version_info, (int age)) \
    F(CURL *, easy_init, (void)) \
    F(void, easy_cleanup, (CURL *easy)) \
    F(int, easy_setopt, (CURL *easy, int option, ...)) \
    F(int, easy_getinfo, (CURL *easy, int info, ...)) \
    F(int, easy_send, (CURL *easy, const void *bytes, size_t count, size_t *sent)) \
    F(int, easy_recv, (CURL *easy, void *buffer, size_t count, size_t *received)) \
    F(int, easy_pause, (CURL *easy, int bitmask)) \
    F(const char *, easy_strerror, (int code)) \
    F(struct curl_slist *, slist_append, (struct curl_slist *list, const char *line)) \
    F(CURLM *, multi_init, (void)) \
    F(int, multi_cleanup, (CURLM *multi)) \
    F(int, multi_setopt, (CURLM *multi, int option, ...)) \
    F(int, multi_add_handle, (CURLM *multi, CURL *easy)) \
    F(int, multi_remove_handle, (CURLM *multi, CURL *easy)) \
    F(int, multi_perform, (CURLM *multi, int *running)) \
    F(int, multi_socket_action, (CURLM *multi, int socket, int events, int *running)) \
    F(int, multi_poll, (CURLM *multi, struct curl_waitfd *extra, unsigned int count, int timeout, int *ready)) \
    F(CURLMsg *, multi_info_read, (CURLM *multi, int *left)) \
    F(int, multi_wakeup, (CURLM *multi))

/// The functions of the loaded library.
struct ccurl_functions {
#define MEMBER(result, member, parameters) result(*member) parameters;
    CCURL_FUNCTIONS(MEMBER)
#undef MEMBER
    /// OpenSSL's SSL_has_pending. NULL if libcurl uses another TLS library, or one that is part of it.
    int (*tls_has_pending)(const void *session);
};

/// Fills the table from an open library. Returns NULL, or the name of the first missing function.
const char *ccurl_resolve(void *library, struct ccurl_functions *table);

// Swift cannot call variadic functions such as curl_easy_setopt, so there is one function for each type of value. Callbacks are pointers.

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

static inline int ccurl_set_bytes(const struct ccurl_functions *curl, CURL *easy, int option, const void *bytes, size_t count) {
    struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_COPY};
    return curl->easy_setopt(easy, option, &blob);
}

/// Sets bytes of which libcurl keeps no copy.
static inline int ccurl_lend_bytes(const struct ccurl_functions *curl, CURL *easy, int option, const void *bytes, size_t count) {
    struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_NOCOPY};
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

/// Whether OpenSSL has bytes, decrypted or not, that libcurl has not read, on the connection of a running transfer.
static inline bool ccurl_has_undelivered(const struct ccurl_functions *curl, CURL *easy) {
    struct curl_tlssessioninfo *session = NULL;
    if (!curl->tls_has_pending || curl->easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session) != CURLE_OK || !session) return false;
    return session->backend == CURLSSLBACKEND_OPENSSL && session->internals && curl->tls_has_pending(session->internals) == 1;
}

static inline int ccurl_multi_set_long(const struct ccurl_functions *curl, CURLM *multi, int option, long value) {
    return curl->multi_setopt(multi, option, value);
}

static inline int ccurl_multi_set_pointer(const struct ccurl_functions *curl, CURLM *multi, int option, void *value) {
    return curl->multi_setopt(multi, option, value);
}

/// Returns the socket of the connection of a handle with CURLOPT_CONNECT_ONLY, or -1.
static inline int ccurl_active_socket(const struct ccurl_functions *curl, CURL *easy) {
    int socket = -1;
    return curl->easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &socket) == CURLE_OK ? socket : -1;
}

// System functions that the engine needs and that Swift cannot call in the same way on every system.

/// Creates a multi handle whose own descriptors are closed on exec. Returns NULL on failure.
CURLM *ccurl_make_multi(const struct ccurl_functions *curl);

/// Copies the IP address that libcurl is about to connect to. Returns its length: 4, 16, or 0 for other addresses.
int ccurl_address(const struct curl_sockaddr *address, uint8_t bytes[16]);

/// Returns the local port of a TCP socket, or -1.
int ccurl_local_port(int socket);

/// Writes `bytes` to an unnamed file in memory. Returns its close-on-exec descriptor, or -1 where the system has no such files.
int ccurl_memory_file(const void *bytes, size_t count);
