// The functions of OpenSSL's libcrypto for digests (evp.h), declared here so that building needs no development package.
//
// They are those of OpenSSL 3. The library is loaded at run time: see cdigest_resolve.
#pragma once

#include <stddef.h>

/// libcrypto's functions that are called: result, name here, name in the library, parameters.
#define CDIGEST_FUNCTIONS(F) \
    F(void *, context_new, "EVP_MD_CTX_new", (void)) \
    F(void, context_free, "EVP_MD_CTX_free", (void *context)) \
    F(int, context_copy, "EVP_MD_CTX_copy_ex", (void *to, const void *from)) \
    F(int, init, "EVP_DigestInit_ex", (void *context, const void *algorithm, void *engine)) \
    F(int, update, "EVP_DigestUpdate", (void *context, const void *bytes, size_t count)) \
    F(int, finish, "EVP_DigestFinal_ex", (void *context, unsigned char *digest, unsigned int *count)) \
    F(void *, fetch, "EVP_MD_fetch", (void *context, const char *name, const char *properties))

/// The functions of the loaded library, and its algorithms.
struct cdigest_functions {
#define MEMBER(result, member, name, parameters) result(*member) parameters;
    CDIGEST_FUNCTIONS(MEMBER)
#undef MEMBER
    const void *sha256;
    const void *sha512;
};

/// Fills the table from an open library, and looks up the algorithms. Returns NULL, or the name of the first missing function or algorithm.
const char *cdigest_resolve(void *library, struct cdigest_functions *table);
