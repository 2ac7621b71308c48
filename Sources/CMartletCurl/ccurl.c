#define _GNU_SOURCE
#include "ccurl.h"

#include <dlfcn.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/syscall.h>
#endif

/// Finds SSL_has_pending in the OpenSSL that libcurl was linked with. The comparison of versions excludes another copy of OpenSSL, which a
/// library may have that libcurl depends on.
static void find_tls_has_pending(void *library, struct ccurl_functions *table) {
    static const char ours[] = "OpenSSL/", theirs[] = "OpenSSL ";
    const char *(*version)(int) = NULL;
    *(void **)(&version) = dlsym(library, "OpenSSL_version");
    curl_version_info_data *info = table->version_info(0);
    if (!version || !info || !info->ssl_version || strncmp(info->ssl_version, ours, sizeof ours - 1) != 0) return;
    const char *number = info->ssl_version + sizeof ours - 1, *text = version(0);
    size_t count = strlen(number);
    if (!text || strncmp(text, theirs, sizeof theirs - 1) != 0 || strncmp(text + sizeof theirs - 1, number, count) != 0) return;
    if (text[sizeof theirs - 1 + count] != ' ') return;
    *(void **)(&table->tls_has_pending) = dlsym(library, "SSL_has_pending");
}

const char *ccurl_resolve(void *library, struct ccurl_functions *table) {
#define FIND(result, member, parameters)                          \
    *(void **)(&table->member) = dlsym(library, "curl_" #member); \
    if (!table->member) return "curl_" #member;
    CCURL_FUNCTIONS(FIND)
#undef FIND
    find_tls_has_pending(library, table);
    return NULL;
}

int ccurl_address(const struct curl_sockaddr *address, uint8_t bytes[16]) {
    // The bytes are copied because libcurl's structure is only as large as the address needs.
    if (address->family == AF_INET && address->addrlen >= sizeof(struct sockaddr_in)) {
        memcpy(bytes, (const char *)&address->addr + offsetof(struct sockaddr_in, sin_addr), 4);
        return 4;
    }
    if (address->family == AF_INET6 && address->addrlen >= sizeof(struct sockaddr_in6)) {
        memcpy(bytes, (const char *)&address->addr + offsetof(struct sockaddr_in6, sin6_addr), 16);
        return 16;
    }
    return 0;
}

int ccurl_local_port(int socket) {
    struct sockaddr_storage address;
    socklen_t size = sizeof address;
    if (getsockname(socket, (struct sockaddr *)&address, &size) != 0) return -1;
    if (address.ss_family == AF_INET) return ntohs(((struct sockaddr_in *)&address)->sin_port);
    return address.ss_family == AF_INET6 ? ntohs(((struct sockaddr_in6 *)&address)->sin6_port) : -1;
}

int ccurl_memory_file(const void *bytes, size_t count) {
#if defined(__linux__) && defined(SYS_memfd_create)
    const unsigned int close_on_exec = 1; // MFD_CLOEXEC
    int file = (int)syscall(SYS_memfd_create, "martlet.certificates", close_on_exec);
    if (file < 0) return -1;
    for (size_t written = 0; written < count;) {
        ssize_t step = write(file, (const char *)bytes + written, count - written);
        if (step < 0 && errno == EINTR) continue;
        if (step <= 0) {
            close(file);
            return -1;
        }
        written += (size_t)step;
    }
    return file;
#else
    (void)bytes, (void)count;
    return -1;
#endif
}
