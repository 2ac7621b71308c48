#define _GNU_SOURCE
#include "ctls.h"
#include "ctls_exit.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { // ssl.h
    SSL_ERROR_WANT_READ = 2,
    SSL_ERROR_WANT_WRITE = 3,
    SSL_ERROR_ZERO_RETURN = 6,
    SSL_CTRL_EXTRA_CHAIN_CERT = 14,
    SSL_CTRL_MODE = 33,
    SSL_CTRL_SET_MIN_PROTO_VERSION = 123,
    SSL_MODE_ENABLE_PARTIAL_WRITE = 1,
    SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER = 2,
    SSL_VERIFY_PEER = 1,
    SSL_TLSEXT_ERR_OK = 0,
    SSL_TLSEXT_ERR_ALERT_FATAL = 2,
    TLS1_2_VERSION = 0x0303,
};

struct ctls_context {
    void *ctx;
};

struct ctls_session {
    const struct ctls_functions *tls;
    void *ssl;
    void *in;
    void *out;
};

static void *find(void *library, const char *name) {
    void *function = dlsym(library, name);
    if (function || strcmp(name, "SSL_get1_peer_certificate")) return function;
    // The name of this function in OpenSSL 1.1.
    return dlsym(library, "SSL_get_peer_certificate");
}

const char *ctls_resolve(void *library, struct ctls_functions *table) {
    // dlsym also finds libcrypto's functions, because libssl depends on libcrypto.
#define FIND(result, member, name, parameters)        \
    *(void **)(&table->member) = find(library, name); \
    if (!table->member) return name;
    CTLS_FUNCTIONS(FIND)
#undef FIND
    return NULL;
}

bool ctls_start(const struct ctls_functions *table) {
    // OpenSSL registers its exit handler first, so that ours, registered later, runs before it.
    return table->init_ssl(0, NULL) == 1 && ctls_stand_still_at_exit();
}

// MARK: Settings

static int no_password(char *buffer, int size, int is_writing, void *argument) {
    (void)buffer, (void)size, (void)is_writing, (void)argument;
    return -1;
}

static int choose_http11(
    void *ssl, const unsigned char **out, unsigned char *out_length, const unsigned char *in, unsigned int in_length, void *argument) {
    (void)ssl, (void)argument;
    for (unsigned int at = 0; at < in_length && at + 1 + in[at] <= in_length; at += 1 + in[at]) {
        if (in[at] != 8 || memcmp(in + at + 1, "http/1.1", 8) != 0) continue;
        *out = in + at + 1;
        *out_length = 8;
        return SSL_TLSEXT_ERR_OK;
    }
    return SSL_TLSEXT_ERR_ALERT_FATAL;
}

static int accept_any(int is_valid, void *store) {
    (void)is_valid, (void)store;
    return 1;
}

static void explain(const struct ctls_functions *tls, const char *what, char *words, size_t size) {
    unsigned long code = tls->error_next();
    const char *reason = code ? tls->error_reason(code) : NULL;
    snprintf(words, size, "%s%s%s", what, reason && *what ? ": " : "", reason ? reason : *what ? "" : "no reason given");
    tls->error_clear();
}

// Returns the reason of a failure, or NULL.
static const char *use_certificates(const struct ctls_functions *tls, void *ctx, void *pem) {
    void *own = tls->read_certificate(pem, NULL, no_password, NULL);
    if (!own) return "the certificate is not PEM";
    int used = tls->ctx_use_certificate(ctx, own);
    tls->certificate_free(own);
    if (used != 1) return "the certificate can't be used";
    for (void *next; (next = tls->read_certificate(pem, NULL, no_password, NULL));) {
        // On success the context owns the certificate.
        if (tls->ctx_ctrl(ctx, SSL_CTRL_EXTRA_CHAIN_CERT, 0, next) == 1) continue;
        tls->certificate_free(next);
        return "a certificate of the chain can't be used";
    }
    // OpenSSL reports the end of the PEM text as an error.
    tls->error_clear();
    return NULL;
}

static const char *use_key(const struct ctls_functions *tls, void *ctx, void *pem) {
    void *key = tls->read_key(pem, NULL, no_password, NULL);
    if (!key) return "the private key is not PEM, or is locked by a password";
    int used = tls->ctx_use_key(ctx, key);
    tls->key_free(key);
    return used == 1 && tls->ctx_check_key(ctx) == 1 ? NULL : "the private key can't be used with the certificate";
}

static const char *fill(
    const struct ctls_functions *tls, void *ctx, const void *certificates, size_t certificates_count, const void *key, size_t key_count) {
    if (certificates_count > INT_MAX || key_count > INT_MAX) return "the certificate or the private key is too long";
    if (tls->ctx_ctrl(ctx, SSL_CTRL_SET_MIN_PROTO_VERSION, TLS1_2_VERSION, NULL) != 1) return "this OpenSSL has no TLS 1.2";
    tls->ctx_ctrl(ctx, SSL_CTRL_MODE, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER, NULL);
    tls->ctx_set_alpn(ctx, choose_http11, NULL);
    void *certificates_pem = tls->bio_new_memory(certificates, (int)certificates_count);
    void *key_pem = tls->bio_new_memory(key, (int)key_count);
    const char *problem = certificates_pem && key_pem ? use_certificates(tls, ctx, certificates_pem) : "there is no memory";
    if (!problem) problem = use_key(tls, ctx, key_pem);
    tls->bio_free(certificates_pem);
    tls->bio_free(key_pem);
    return problem;
}

ctls_context *ctls_context_new(
    const struct ctls_functions *tls, const void *certificates, size_t certificates_count, const void *key, size_t key_count,
    bool asks_client, char *words, size_t words_size) {
    bool entered = ctls_enter();
    tls->error_clear();
    ctls_context *context = malloc(sizeof *context);
    void *ctx = tls->ctx_new(tls->server_method());
    const char *problem = !context || !ctx ? "there is no memory" : fill(tls, ctx, certificates, certificates_count, key, key_count);
    if (problem) {
        explain(tls, problem, words, words_size);
        tls->ctx_free(ctx);
        free(context);
        context = NULL;
    } else {
        if (asks_client) {
            tls->ctx_set_verify(ctx, SSL_VERIFY_PEER, accept_any);
            // Without a session ID context, a handshake that resumes a verified session fails.
            tls->ctx_set_session_id_context(ctx, (const unsigned char *)"martlet", 7);
        }
        context->ctx = ctx;
    }
    ctls_leave(entered);
    return context;
}

void ctls_context_free(const struct ctls_functions *tls, ctls_context *context) {
    bool entered = ctls_enter();
    tls->ctx_free(context->ctx);
    ctls_leave(entered);
    free(context);
}

// MARK: Connections

ctls_session *ctls_session_new(const struct ctls_functions *tls, ctls_context *context) {
    ctls_session *session = malloc(sizeof *session);
    if (!session) return NULL;
    bool entered = ctls_enter();
    *session = (ctls_session){
        tls, tls->ssl_new(context->ctx), tls->bio_new(tls->memory_method()), tls->bio_new(tls->memory_method())};
    bool is_whole = session->ssl && session->in && session->out;
    if (is_whole) {
        tls->set_bio(session->ssl, session->in, session->out);
        tls->set_accept_state(session->ssl);
    } else {
        tls->bio_free(session->in);
        tls->bio_free(session->out);
        tls->ssl_free(session->ssl);
        free(session);
    }
    ctls_leave(entered);
    return is_whole ? session : NULL;
}

void ctls_session_free(ctls_session *session) {
    bool entered = ctls_enter();
    session->tls->ssl_free(session->ssl);
    ctls_leave(entered);
    free(session);
}

static int clamp(size_t count) { return count > 1 << 30 ? 1 << 30 : (int)count; }

bool ctls_feed(ctls_session *session, const void *bytes, size_t count) {
    bool entered = ctls_enter();
    bool is_taken = session->tls->bio_write(session->in, bytes, clamp(count)) == (int)count;
    ctls_leave(entered);
    return is_taken;
}

ptrdiff_t ctls_read(ctls_session *session, void *buffer, size_t count, char *words, size_t words_size) {
    const struct ctls_functions *tls = session->tls;
    bool entered = ctls_enter();
    tls->error_clear();
    ptrdiff_t outcome = tls->read(session->ssl, buffer, clamp(count));
    if (outcome <= 0) {
        switch (tls->get_error(session->ssl, (int)outcome)) {
        case SSL_ERROR_WANT_READ:
        case SSL_ERROR_WANT_WRITE: outcome = CTLS_NEEDS_MORE; break;
        case SSL_ERROR_ZERO_RETURN: outcome = CTLS_ENDED; break;
        default:
            outcome = CTLS_FAILED;
            explain(tls, "", words, words_size);
        }
    }
    ctls_leave(entered);
    return outcome;
}

ptrdiff_t ctls_write(ctls_session *session, const void *bytes, size_t count) {
    const struct ctls_functions *tls = session->tls;
    bool entered = ctls_enter();
    tls->error_clear();
    ptrdiff_t outcome = tls->write(session->ssl, bytes, clamp(count));
    if (outcome <= 0) {
        int error = tls->get_error(session->ssl, (int)outcome);
        outcome = error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE ? 0 : CTLS_FAILED;
    }
    ctls_leave(entered);
    return outcome;
}

size_t ctls_drain(ctls_session *session, void *buffer, size_t count) {
    bool entered = ctls_enter();
    int drained = session->tls->bio_read(session->out, buffer, clamp(count));
    ctls_leave(entered);
    return drained > 0 ? (size_t)drained : 0;
}

void ctls_end(ctls_session *session) {
    bool entered = ctls_enter();
    session->tls->error_clear();
    session->tls->shutdown(session->ssl);
    ctls_leave(entered);
}

bool ctls_is_established(const ctls_session *session) {
    bool entered = ctls_enter();
    bool is_established = session->tls->is_init_finished(session->ssl) == 1;
    ctls_leave(entered);
    return is_established;
}

size_t ctls_client_certificate(const ctls_session *session, void *buffer, size_t count) {
    const struct ctls_functions *tls = session->tls;
    bool entered = ctls_enter();
    size_t size = 0;
    void *certificate = tls->peer_certificate(session->ssl);
    if (certificate) {
        int needed = tls->encode_certificate(certificate, NULL);
        unsigned char *out = buffer;
        if (needed > 0 && (size_t)needed <= count) size = (size_t)tls->encode_certificate(certificate, &out);
        tls->certificate_free(certificate);
    }
    ctls_leave(entered);
    return size;
}
