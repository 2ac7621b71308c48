// libcurl creates a socket pair for curl_multi_wakeup. In some versions (such as 7.88) a program that the process runs inherits it. libcurl
// does not expose the descriptors, so this file identifies them by the effect of a wakeup.
#define _GNU_SOURCE
#include "ccurl.h"

#if defined(__linux__)
#include <dirent.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

enum { MAX_CANDIDATES = 4096, ROUNDS = 3 };

// Whether the descriptor is a pipe or a local stream socket that other programs would inherit.
static bool is_candidate(int descriptor) {
    int flags = fcntl(descriptor, F_GETFD);
    struct stat status;
    if (flags < 0 || flags & FD_CLOEXEC || fstat(descriptor, &status)) return false;
    if (S_ISFIFO(status.st_mode)) return true;
    int domain = 0, type = 0;
    socklen_t size = sizeof domain;
    if (!S_ISSOCK(status.st_mode) || getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &size)) return false;
    size = sizeof type;
    return domain == AF_UNIX && !getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) && type == SOCK_STREAM;
}

// Whether a byte is in transit: received and unread, or sent and not yet read by the peer.
static bool is_rung(int descriptor) {
    int count = 0;
    if (!ioctl(descriptor, FIONREAD, &count) && count > 0) return true;
    return !ioctl(descriptor, SIOCOUTQ, &count) && count > 0;
}

static size_t keep(int *descriptors, size_t count, bool rung) {
    size_t kept = 0;
    for (size_t index = 0; index < count; index++) {
        if (is_rung(descriptors[index]) == rung) descriptors[kept++] = descriptors[index];
    }
    return kept;
}

static size_t list_candidates(int *descriptors) {
    DIR *folder = opendir("/proc/self/fd");
    size_t count = 0;
    if (!folder) return 0;
    for (struct dirent *entry; (entry = readdir(folder)) && count < MAX_CANDIDATES;) {
        if (entry->d_name[0] == '.') continue;
        int descriptor = atoi(entry->d_name);
        if (is_candidate(descriptor)) descriptors[count++] = descriptor;
    }
    closedir(folder);
    return count;
}

static void close_wakeup_on_exec(const struct ccurl_functions *curl, CURLM *multi) {
    int *descriptors = malloc(MAX_CANDIDATES * sizeof *descriptors);
    if (!descriptors) return;
    size_t count = list_candidates(descriptors);
    // In each round the pair has a byte in transit after the wakeup and none after the poll. Descriptors of other threads do not follow
    // this pattern in all rounds.
    for (int round = 0; round < ROUNDS && count > 0; round++) {
        int ready = 0;
        count = keep(descriptors, count, false);
        curl->multi_wakeup(multi);
        count = keep(descriptors, count, true);
        curl->multi_poll(multi, NULL, 0, 0, &ready);
        count = keep(descriptors, count, false);
    }
    for (size_t index = 0; index < count; index++) fcntl(descriptors[index], F_SETFD, FD_CLOEXEC);
    free(descriptors);
}
#endif

CURLM *ccurl_make_multi(const struct ccurl_functions *curl) {
    CURLM *multi = curl->multi_init();
#if defined(__linux__)
    if (multi) close_wakeup_on_exec(curl, multi);
#endif
    return multi;
}
