#define _GNU_SOURCE
#include "cdigest.h"

#include <dlfcn.h>

const char *cdigest_resolve(void *library, struct cdigest_functions *table) {
#define FIND(result, member, name, parameters)         \
    *(void **)(&table->member) = dlsym(library, name); \
    if (!table->member) return name;
    CDIGEST_FUNCTIONS(FIND)
#undef FIND
    // Fetched algorithms hold what they need. When the process exits, OpenSSL frees its tables, and a thread that still used EVP_sha256(),
    // which looks the algorithm up at each use, would crash.
    table->sha256 = table->fetch(NULL, "SHA256", NULL);
    if (!table->sha256) return "SHA256";
    table->sha512 = table->fetch(NULL, "SHA512", NULL);
    return table->sha512 ? NULL : "SHA512";
}
