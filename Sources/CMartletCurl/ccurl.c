#define _GNU_SOURCE
#include "ccurl.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/eventfd.h>
#include <sys/syscall.h>
#endif

void *ccurl_open(const char *name) { return dlopen(name, RTLD_NOW | RTLD_LOCAL); }

const char *ccurl_resolve(void *library, struct ccurl_functions *table) {
#define FIND(member, name)                          \
    *(void **)(&table->member) = dlsym(library, name); \
    if (!table->member) return name;
    FIND(global_init, "curl_global_init")
    FIND(version_info, "curl_version_info")
    FIND(easy_init, "curl_easy_init")
    FIND(easy_cleanup, "curl_easy_cleanup")
    FIND(easy_setopt, "curl_easy_setopt")
    FIND(easy_getinfo, "curl_easy_getinfo")
    FIND(easy_pause, "curl_easy_pause")
    FIND(easy_strerror, "curl_easy_strerror")
    FIND(multi_init, "curl_multi_init")
    FIND(multi_cleanup, "curl_multi_cleanup")
    FIND(multi_setopt, "curl_multi_setopt")
    FIND(multi_add_handle, "curl_multi_add_handle")
    FIND(multi_remove_handle, "curl_multi_remove_handle")
    FIND(multi_perform, "curl_multi_perform")
    FIND(multi_poll, "curl_multi_poll")
    FIND(multi_info_read, "curl_multi_info_read")
    FIND(multi_wakeup, "curl_multi_wakeup")
#undef FIND
    return NULL;
}

int ccurl_address(const struct curl_sockaddr *address, uint8_t bytes[16]) {
    // Copied: libcurl's own structure is only as large as the address needs.
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

int ccurl_open_socket(const struct curl_sockaddr *address) {
#if defined(__linux__)
    // Set at creation, so that no other thread can run a program before the flag is set.
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
#else
    int made = socket(address->family, address->socktype, address->protocol);
    if (made >= 0) fcntl(made, F_SETFD, FD_CLOEXEC);
    return made;
#endif
}

_Noreturn void ccurl_park_thread(void) {
    for (;;) pause();
}

void ccurl_pause_microseconds(unsigned int count) { usleep(count); }

void ccurl_at_exit(void (*run)(void)) { atexit(run); }

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

void ccurl_memory_file_close(int descriptor) { close(descriptor); }

static _Atomic unsigned int forks;

static void count_fork(void) { atomic_fetch_add_explicit(&forks, 1, memory_order_relaxed); }

unsigned int ccurl_forks(void) { return atomic_load_explicit(&forks, memory_order_relaxed); }

bool ccurl_claim(unsigned int *user) {
    unsigned int mine = ccurl_forks() + 1, noted = 0;
    return __atomic_compare_exchange_n(user, &noted, mine, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED) || noted == mine;
}

/// The process of the last engine: its number of forks and one, or zero while there is none.
static _Atomic unsigned int engine_process;

void ccurl_note_engine(void) { atomic_store_explicit(&engine_process, ccurl_forks() + 1, memory_order_relaxed); }

bool ccurl_has_engine(void) { return atomic_load_explicit(&engine_process, memory_order_relaxed) == ccurl_forks() + 1; }

void ccurl_count_forks(void) { pthread_atfork(NULL, NULL, count_fork); }

bool ccurl_alarm_open(struct ccurl_alarm *alarm) {
#if defined(__linux__)
    alarm->wait = alarm->ring = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return alarm->wait >= 0;
#else
    int ends[2];
    if (pipe(ends)) return false;
    for (int end = 0; end < 2; end++) {
        fcntl(ends[end], F_SETFD, FD_CLOEXEC);
        fcntl(ends[end], F_SETFL, O_NONBLOCK);
    }
    *alarm = (struct ccurl_alarm){ends[0], ends[1]};
    return true;
#endif
}

void ccurl_alarm_close(const struct ccurl_alarm *alarm) {
    close(alarm->wait);
    if (alarm->ring != alarm->wait) close(alarm->ring);
}

void ccurl_alarm_ring(const struct ccurl_alarm *alarm) {
    // Eight bytes, because an eventfd takes nothing less. It can't fail but for a full pipe, which wakes just as well.
    uint64_t one = 1;
    ssize_t ignored = write(alarm->ring, &one, sizeof one);
    (void)ignored;
}

void ccurl_alarm_clear(const struct ccurl_alarm *alarm) {
    uint64_t count;
    ssize_t ignored = read(alarm->wait, &count, sizeof count);
    (void)ignored;
}
