#define _GNU_SOURCE
#include "csecret.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    G_BUS_TYPE_SESSION = 2,
    SECRET_SERVICE_NONE = 0,
    SECRET_COLLECTION_NONE = 0,
    SECRET_SCHEMA_NONE = 0,
    SECRET_SCHEMA_ATTRIBUTE_STRING = 0,
};

const char *csecret_resolve(void *library, struct csecret_functions *table) {
    // dlsym also finds GLib's functions, because libsecret depends on GLib.
#define FIND(result, member, name, parameters)         \
    *(void **)(&table->member) = dlsym(library, name); \
    if (!table->member) return name;
    CSECRET_FUNCTIONS(FIND)
#undef FIND
    return NULL;
}

static const struct csecret_schema schema = {
    .name = "martlet.AccessToken",
    .flags = SECRET_SCHEMA_NONE,
    .attributes = {{"service", SECRET_SCHEMA_ATTRIBUTE_STRING}, {"account", SECRET_SCHEMA_ATTRIBUTE_STRING}},
};

// Copies and frees an error. Returns whether there was one.
static bool has_failed_with(const struct csecret_functions *secret, struct csecret_gerror *error, struct csecret_failure *failure) {
    if (!error) return false;
    const char *domain = secret->quark_to_string(error->domain);
    snprintf(failure->domain, sizeof failure->domain, "%s", domain ? domain : "");
    snprintf(failure->message, sizeof failure->message, "%s", error->message ? error->message : "");
    failure->code = error->code;
    secret->error_free(error);
    return true;
}

bool csecret_connect(const struct csecret_functions *secret, void *cancellable, struct csecret_failure *failure) {
    struct csecret_gerror *error = NULL;
    void *bus = secret->bus_get(G_BUS_TYPE_SESSION, cancellable, &error);
    if (has_failed_with(secret, error, failure) || !bus) return false;
    secret->bus_set_exit_on_close(bus, false);
    // libsecret takes its own reference on first use.
    secret->object_unref(bus);
    return true;
}

void *csecret_lookup(
    const struct csecret_functions *secret, struct csecret_key key, void *cancellable, bool *has_failed, struct csecret_failure *failure) {
    struct csecret_gerror *error = NULL;
    void *value = secret->lookup(&schema, cancellable, &error, "service", key.service, "account", key.account, (char *)NULL);
    *has_failed = has_failed_with(secret, error, failure);
    return value;
}

bool csecret_store(
    const struct csecret_functions *secret, struct csecret_key key, const char *label, const char *text, void *cancellable,
    struct csecret_failure *failure) {
    struct csecret_gerror *error = NULL;
    bool is_stored =
        secret->store(&schema, NULL, label, text, cancellable, &error, "service", key.service, "account", key.account, (char *)NULL);
    if (has_failed_with(secret, error, failure)) return false;
    if (!is_stored) *failure = (struct csecret_failure){"", 0, "no reason given"};
    return is_stored;
}

bool csecret_clear(
    const struct csecret_functions *secret, struct csecret_key key, void *cancellable, bool *has_failed, struct csecret_failure *failure) {
    struct csecret_gerror *error = NULL;
    bool is_removed = secret->clear(&schema, cancellable, &error, "service", key.service, "account", key.account, (char *)NULL);
    *has_failed = has_failed_with(secret, error, failure);
    return is_removed;
}

enum csecret_keyring csecret_default_keyring(
    const struct csecret_functions *secret, void *cancellable, struct csecret_failure *failure) {
    struct csecret_gerror *error = NULL;
    void *service = secret->service_get(SECRET_SERVICE_NONE, cancellable, &error);
    if (has_failed_with(secret, error, failure) || !service) return CSECRET_KEYRING_UNKNOWN;
    void *collection = secret->collection_for_alias(service, "default", SECRET_COLLECTION_NONE, cancellable, &error);
    enum csecret_keyring state = CSECRET_KEYRING_ABSENT;
    if (has_failed_with(secret, error, failure)) {
        state = CSECRET_KEYRING_UNKNOWN;
    } else if (collection) {
        state = secret->collection_get_locked(collection) ? CSECRET_KEYRING_LOCKED : CSECRET_KEYRING_OPEN;
        secret->object_unref(collection);
    }
    secret->object_unref(service);
    return state;
}

void csecret_erase(void *bytes, size_t count) {
    volatile unsigned char *byte = bytes;
    while (count--) *byte++ = 0;
}

void *csecret_begin(const struct csecret_functions *secret) {
    void *context = secret->context_new();
    secret->context_push(context);
    return context;
}

void csecret_end(const struct csecret_functions *secret, void *context) {
    while (secret->context_iteration(context, false)) {}
    secret->context_pop(context);
    secret->context_unref(context);
}
