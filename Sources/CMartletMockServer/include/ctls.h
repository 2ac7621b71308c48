// What MockServer uses of OpenSSL, declared here so that no development package is needed to build.
//
// Names and numbers are those of OpenSSL's own headers (ssl.h, bio.h, x509.h, pem.h), the same in 1.1 and 3. The library itself is
// found at run time: see ctls_resolve. TLS happens in memory: the server's loop carries the bytes to and from its sockets.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ctls_context ctls_context;
typedef struct ctls_session ctls_session;

typedef int (*ctls_choose_protocol)(
    void *ssl, const unsigned char **out, unsigned char *out_length, const unsigned char *in, unsigned int in_length, void *argument);
typedef int (*ctls_verify)(int is_valid, void *store);
typedef int (*ctls_ask_password)(char *buffer, int size, int is_writing, void *argument);

/// The functions of the library that was found.
struct ctls_functions {
    int (*init_ssl)(uint64_t options, const void *settings);
    const void *(*server_method)(void);
    void *(*ctx_new)(const void *method);
    void (*ctx_free)(void *ctx);
    long (*ctx_ctrl)(void *ctx, int command, long number, void *pointer);
    int (*ctx_use_certificate)(void *ctx, void *certificate);
    int (*ctx_use_key)(void *ctx, void *key);
    int (*ctx_check_key)(const void *ctx);
    void (*ctx_set_alpn)(void *ctx, ctls_choose_protocol choose, void *argument);
    void (*ctx_set_verify)(void *ctx, int mode, ctls_verify verify);
    int (*ctx_set_session_id_context)(void *ctx, const unsigned char *name, unsigned int count);
    void *(*peer_certificate)(const void *ssl);
    int (*encode_certificate)(const void *certificate, unsigned char **out);
    void *(*ssl_new)(void *ctx);
    void (*ssl_free)(void *ssl);
    void (*set_accept_state)(void *ssl);
    void (*set_bio)(void *ssl, void *in, void *out);
    int (*read)(void *ssl, void *buffer, int count);
    int (*write)(void *ssl, const void *buffer, int count);
    int (*shutdown)(void *ssl);
    int (*get_error)(const void *ssl, int result);
    int (*is_init_finished)(const void *ssl);
    const void *(*memory_method)(void);
    void *(*bio_new)(const void *method);
    void *(*bio_new_memory)(const void *bytes, int count);
    int (*bio_read)(void *bio, void *buffer, int count);
    int (*bio_write)(void *bio, const void *buffer, int count);
    int (*bio_free)(void *bio);
    void *(*read_certificate)(void *bio, void **out, ctls_ask_password ask, void *argument);
    void *(*read_key)(void *bio, void **out, ctls_ask_password ask, void *argument);
    void (*certificate_free)(void *certificate);
    void (*key_free)(void *key);
    unsigned long (*error_next)(void);
    void (*error_clear)(void);
    const char *(*error_reason)(unsigned long code);
};

/// Fills the table from an open library. Returns NULL, or the name of the first missing function.
const char *ctls_resolve(void *library, struct ctls_functions *table);

/// Makes the library ready. When the process exits, threads that call anything below stand still from then on: OpenSSL takes its own
/// state down at exit, under whoever still uses it. False when it can't be made ready.
bool ctls_start(const struct ctls_functions *table);

/// A server's settings: TLS 1.2 or later, `http/1.1` when the client asks for a protocol by ALPN (RFC 7301).
///
/// `certificates` is PEM: the server's certificate first, then the intermediates. `key` is PEM without a password. With `asks_client` the
/// server requests a client certificate and accepts any certificate or none. Returns NULL on failure, with the reason in `words`.
ctls_context *ctls_context_new(
    const struct ctls_functions *table, const void *certificates, size_t certificates_count, const void *key, size_t key_count,
    bool asks_client, char *words, size_t words_size);
void ctls_context_free(const struct ctls_functions *table, ctls_context *context);

/// The server's side of a connection; NULL when there is no memory. Not to be used by two threads at once.
ctls_session *ctls_session_new(const struct ctls_functions *table, ctls_context *context);
void ctls_session_free(ctls_session *session);

/// Takes in what the socket received.
bool ctls_feed(ctls_session *session, const void *bytes, size_t count);

enum {
    CTLS_NEEDS_MORE = 0,
    CTLS_ENDED = -1,
    CTLS_FAILED = -2,
};

/// Decrypts: how many bytes, or one of the numbers above. After CTLS_FAILED the reason is in `words`.
ptrdiff_t ctls_read(ctls_session *session, void *buffer, size_t count, char *words, size_t words_size);

/// Encrypts: how many bytes were taken, 0 when the handshake is not over, CTLS_FAILED.
ptrdiff_t ctls_write(ctls_session *session, const void *bytes, size_t count);

/// What is to be sent by the socket: how many bytes were put into the buffer, 0 when there are none.
size_t ctls_drain(ctls_session *session, void *buffer, size_t count);

/// Says to the client that nothing more will come (close_notify).
void ctls_end(ctls_session *session);

bool ctls_is_established(const ctls_session *session);

/// Writes the client's certificate as DER. Returns its size, or 0 if the client sent none or it exceeds the buffer.
size_t ctls_client_certificate(const ctls_session *session, void *buffer, size_t count);

// MARK: Sockets

/// Accepts a connection. The descriptor is non-blocking and close-on-exec. Returns -1 with `errno` set if no connection is pending.
int csocket_accept(int listener);
