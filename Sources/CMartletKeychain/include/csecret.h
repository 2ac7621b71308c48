// The functions of libsecret and GLib that SecretServiceTokenStore uses, declared here so that building needs no development package.
//
// Names and constants are those of the libraries' headers (secret-password.h, secret-collection.h, gio), from libsecret 0.19 on. The
// library is loaded at run time: see csecret_resolve. Every call except cancelling blocks.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// GLib's GError.
struct csecret_gerror {
    uint32_t domain;
    int code;
    char *message;
};

/// libsecret's SecretSchema.
struct csecret_schema {
    const char *name;
    int flags;
    struct {
        const char *name;
        int type;
    } attributes[32];
    int reserved;
    void *reserved_too[7];
};

/// The functions of libsecret and GLib that Martlet calls: result, name here, name in the library, parameters.
#define CSECRET_FUNCTIONS(F) \
    F(void *, lookup, "secret_password_lookup_binary_sync", \
      (const struct csecret_schema *, void *cancellable, struct csecret_gerror **, ...)) \
    F(int, store, "secret_password_store_sync", \
      (const struct csecret_schema *, const char *collection, const char *label, const char *password, void *cancellable, \
       struct csecret_gerror **, ...)) \
    F(int, clear, "secret_password_clear_sync", (const struct csecret_schema *, void *cancellable, struct csecret_gerror **, ...)) \
    F(const char *, value_get, "secret_value_get", (void *value, size_t *count)) \
    F(void, value_unref, "secret_value_unref", (void *value)) \
    F(void *, service_get, "secret_service_get_sync", (int flags, void *cancellable, struct csecret_gerror **)) \
    F(void, service_disconnect, "secret_service_disconnect", (void)) \
    F(void *, collection_for_alias, "secret_collection_for_alias_sync", \
      (void *service, const char *alias, int flags, void *cancellable, struct csecret_gerror **)) \
    F(int, collection_get_locked, "secret_collection_get_locked", (void *collection)) \
    F(void *, bus_get, "g_bus_get_sync", (int type, void *cancellable, struct csecret_gerror **)) \
    F(void, bus_set_exit_on_close, "g_dbus_connection_set_exit_on_close", (void *bus, int exits)) \
    F(void *, cancellable_new, "g_cancellable_new", (void)) \
    F(void, cancellable_cancel, "g_cancellable_cancel", (void *cancellable)) \
    F(void, object_unref, "g_object_unref", (void *object)) \
    F(const char *, quark_to_string, "g_quark_to_string", (uint32_t quark)) \
    F(void, error_free, "g_error_free", (struct csecret_gerror *)) \
    F(void *, context_new, "g_main_context_new", (void)) \
    F(void, context_push, "g_main_context_push_thread_default", (void *context)) \
    F(void, context_pop, "g_main_context_pop_thread_default", (void *context)) \
    F(int, context_iteration, "g_main_context_iteration", (void *context, int may_block)) \
    F(void, context_unref, "g_main_context_unref", (void *context))

/// The functions of the loaded library.
struct csecret_functions {
#define MEMBER(result, member, name, parameters) result(*member) parameters;
    CSECRET_FUNCTIONS(MEMBER)
#undef MEMBER
};

/// An error in GLib's terms. It contains no secret.
struct csecret_failure {
    char domain[64];
    int code;
    char message[512];
};

/// The attributes of a secret.
struct csecret_key {
    const char *service;
    const char *account;
};

enum csecret_keyring {
    CSECRET_KEYRING_UNKNOWN,
    CSECRET_KEYRING_ABSENT,
    CSECRET_KEYRING_LOCKED,
    CSECRET_KEYRING_OPEN,
};

/// Fills the table from an open library. Returns NULL, or the name of the first missing function.
const char *csecret_resolve(void *library, struct csecret_functions *table);

/// Begins calls on this thread. Their callbacks are queued in a separate main context, because the program's main loop may never run. End
/// it on the same thread.
void *csecret_begin(const struct csecret_functions *);

/// Runs the remaining callbacks of the calls, and releases the context.
void csecret_end(const struct csecret_functions *, void *context);

/// Connects to the session bus. Unlike GLib's default, the process continues when the connection closes.
bool csecret_connect(const struct csecret_functions *, void *cancellable, struct csecret_failure *);

/// Returns the stored value. Free it with `value_unref`, which erases it. Returns NULL without a failure if no value is stored or the
/// keyring is locked.
void *csecret_lookup(
    const struct csecret_functions *, struct csecret_key, void *cancellable, bool *has_failed, struct csecret_failure *);

/// Stores a text in the default keyring and replaces the previous one.
bool csecret_store(
    const struct csecret_functions *, struct csecret_key, const char *label, const char *text, void *cancellable, struct csecret_failure *);

/// Removes the stored value. Returns whether there was one that could be removed.
bool csecret_clear(const struct csecret_functions *, struct csecret_key, void *cancellable, bool *has_failed, struct csecret_failure *);

/// Returns the state of the default keyring.
enum csecret_keyring csecret_default_keyring(const struct csecret_functions *, void *cancellable, struct csecret_failure *);

/// Overwrites memory. The compiler does not optimise this away.
void csecret_erase(void *bytes, size_t count);
