// The functions of OpenSSL for the server side of TLS, declared here so that building needs no development package.
//
// Names and constants are those of OpenSSL's headers (ssl.h, bio.h, x509.h, pem.h) and are the same in 1.1 and 3. The library is loaded
// at run time: see ctls_resolve. TLS works on memory buffers: the server's loop carries the bytes to and from its sockets.
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

/// OpenSSL's functions that are called: result, name here, name in the library, parameters.
#define CTLS_FUNCTIONS(F) \
    F(int, init_ssl, "OPENSSL_init_ssl", (uint64_t options, const void *settings)) \
    F(const void *, server_method, "TLS_server_method", (void)) \
    F(void *, ctx_new, "SSL_CTX_new", (const void *method)) \
    F(void, ctx_free, "SSL_CTX_free", (void *ctx)) \
    F(long, ctx_ctrl, "SSL_CTX_ctrl", (void *ctx, int command, long number, void *pointer)) \
    F(int, ctx_use_certificate, "SSL_CTX_use_certificate", (void *ctx, void *certificate)) \
    F(int, ctx_use_key, "SSL_CTX_use_PrivateKey", (void *ctx, void *key)) \
    F(int, ctx_check_key, "SSL_CTX_check_private_key", (const void *ctx)) \
    F(void, ctx_set_alpn, "SSL_CTX_set_alpn_select_cb", (void *ctx, ctls_choose_protocol choose, void *argument)) \
    F(void, ctx_set_verify, "SSL_CTX_set_verify", (void *ctx, int mode, ctls_verify verify)) \
    F(int, ctx_set_session_id_context, "SSL_CTX_set_session_id_context", (void *ctx, const unsigned char *name, unsigned int count)) \
    F(void *, peer_certificate, "SSL_get1_peer_certificate", (const void *ssl)) \
    F(int, encode_certificate, "i2d_X509", (const void *certificate, unsigned char **out)) \
    F(void *, ssl_new, "SSL_new", (void *ctx)) \
    F(void, ssl_free, "SSL_free", (void *ssl)) \
    F(void, set_accept_state, "SSL_set_accept_state", (void *ssl)) \
    F(void, set_bio, "SSL_set_bio", (void *ssl, void *in, void *out)) \
    F(int, read, "SSL_read", (void *ssl, void *buffer, int count)) \
    F(int, write, "SSL_write", (void *ssl, const void *buffer, int count)) \
    F(int, shutdown, "SSL_shutdown", (void *ssl)) \
    F(int, get_error, "SSL_get_error", (const void *ssl, int result)) \
    F(int, is_init_finished, "SSL_is_init_finished", (const void *ssl)) \
    F(const void *, memory_method, "BIO_s_mem", (void)) \
    F(void *, bio_new, "BIO_new", (const void *method)) \
    F(void *, bio_new_memory, "BIO_new_mem_buf", (const void *bytes, int count)) \
    F(int, bio_read, "BIO_read", (void *bio, void *buffer, int count)) \
    F(int, bio_write, "BIO_write", (void *bio, const void *buffer, int count)) \
    F(int, bio_free, "BIO_free", (void *bio)) \
    F(void *, read_certificate, "PEM_read_bio_X509", (void *bio, void **out, ctls_ask_password ask, void *argument)) \
    F(void *, read_key, "PEM_read_bio_PrivateKey", (void *bio, void **out, ctls_ask_password ask, void *argument)) \
    F(void, certificate_free, "X509_free", (void *certificate)) \
    F(void, key_free, "EVP_PKEY_free", (void *key)) \
    F(unsigned long, error_next, "ERR_get_error", (void)) \
    F(void, error_clear, "ERR_clear_error", (void)) \
    F(const char *, error_reason, "ERR_reason_error_string", (unsigned long code))

/// The functions of the loaded library.
struct ctls_functions {
#define MEMBER(result, member, name, parameters) result(*member) parameters;
    CTLS_FUNCTIONS(MEMBER)
#undef MEMBER
};

/// Fills the table from an open library. Returns NULL, or the name of the first missing function.
const char *ctls_resolve(void *library, struct ctls_functions *table);

/// Initialises the library. Returns false on failure.
///
/// When the process exits, OpenSSL frees its global state although other threads may still use it. From then on, threads that call any
/// function below block.
bool ctls_start(const struct ctls_functions *table);

/// Creates a server's settings: TLS 1.2 or later, and `http/1.1` if the client offers protocols by ALPN (RFC 7301).
///
/// `certificates` is PEM: the server's certificate first, then the intermediates. `key` is PEM without a password. With `asks_client` the
/// server requests a client certificate and accepts any certificate or none. Returns NULL on failure, with the reason in `words`.
ctls_context *ctls_context_new(
    const struct ctls_functions *table, const void *certificates, size_t certificates_count, const void *key, size_t key_count,
    bool asks_client, char *words, size_t words_size);
void ctls_context_free(const struct ctls_functions *table, ctls_context *context);

/// Creates the server's side of a connection. Returns NULL if memory is exhausted. Only one thread may use a session at a time.
ctls_session *ctls_session_new(const struct ctls_functions *table, ctls_context *context);
void ctls_session_free(ctls_session *session);

/// Passes bytes received from the socket to OpenSSL. Returns false if they could not be buffered.
bool ctls_feed(ctls_session *session, const void *bytes, size_t count);

enum {
    CTLS_NEEDS_MORE = 0,
    CTLS_ENDED = -1,
    CTLS_FAILED = -2,
};

/// Decrypts into `buffer`. Returns the number of bytes, or one of the constants above. After CTLS_FAILED the reason is in `words`.
ptrdiff_t ctls_read(ctls_session *session, void *buffer, size_t count, char *words, size_t words_size);

/// Encrypts. Returns the number of bytes taken, 0 while the handshake is incomplete, or CTLS_FAILED.
ptrdiff_t ctls_write(ctls_session *session, const void *bytes, size_t count);

/// Copies bytes to send on the socket into `buffer`. Returns their number, or 0 if there are none.
size_t ctls_drain(ctls_session *session, void *buffer, size_t count);

/// Queues a close_notify, which tells the client that no more data follows.
void ctls_end(ctls_session *session);

bool ctls_is_established(const ctls_session *session);

/// Writes the client's certificate as DER. Returns its size, or 0 if the client sent none or it exceeds the buffer.
size_t ctls_client_certificate(const ctls_session *session, void *buffer, size_t count);
