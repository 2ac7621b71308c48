// What SecretServiceTokenStore uses of libsecret and GLib, declared here so that no development package is needed to build.
//
// Names and numbers are those of the libraries' own headers (secret-password.h, secret-collection.h, gio), from libsecret 0.19 on. The
// library itself is found at run time: see csecret_resolve. Every call but cancelling blocks.
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

/// The library's functions that are used: result, name here and in the library, parameters.
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

/// The functions of the library that was found.
struct csecret_functions {
#define MEMBER(result, member, name, parameters) result(*member) parameters;
    CSECRET_FUNCTIONS(MEMBER)
#undef MEMBER
};

/// What went wrong, in GLib's terms. It holds no secret.
struct csecret_failure {
    char domain[64];
    int code;
    char message[512];
};

/// Whose secret.
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

/// Begins calls on this thread: what they leave to be done later goes to a place of their own, and not to the program's main loop, which
/// may never run. To be ended on the same thread.
void *csecret_begin(const struct csecret_functions *);

/// Does what calls have left to be done, and lets go of its place.
void csecret_end(const struct csecret_functions *, void *context);

/// Sees to it that there is a session bus, and that its end does not end the process, which is GLib's default.
bool csecret_connect(const struct csecret_functions *, void *cancellable, struct csecret_failure *);

/// The value that is kept, to be freed with `value_unref`, which erases it; NULL without a failure when there is none, or when its keyring
/// is locked.
void *csecret_lookup(
    const struct csecret_functions *, struct csecret_key, void *cancellable, bool *has_failed, struct csecret_failure *);

/// Keeps a text in the default keyring, in place of the one there was.
bool csecret_store(
    const struct csecret_functions *, struct csecret_key, const char *label, const char *text, void *cancellable, struct csecret_failure *);

/// Forgets what is kept: whether there was something that could be forgotten.
bool csecret_clear(const struct csecret_functions *, struct csecret_key, void *cancellable, bool *has_failed, struct csecret_failure *);

/// The state of the default keyring.
enum csecret_keyring csecret_default_keyring(const struct csecret_functions *, void *cancellable, struct csecret_failure *);

/// Overwrites memory in a way that the compiler keeps.
void csecret_erase(void *bytes, size_t count);
