// One descriptor that stands for many, so that an engine polls its connections together: epoll on Linux, kqueue elsewhere.
#define _GNU_SOURCE
#include "cengine.h"

#include <errno.h>
#include <unistd.h>

enum { MAX_EVENTS = 256 };

#if defined(__linux__)
#include <sys/epoll.h>

int cengine_make_poller(void) { return epoll_create1(EPOLL_CLOEXEC); }

bool cengine_poller_watch(int poller, int descriptor, uint64_t token, bool reads, bool writes, bool once) {
    struct epoll_event event = {.events = 0, .data = {.u64 = token}};
    if (reads) event.events |= EPOLLIN | EPOLLRDHUP;
    if (writes) event.events |= EPOLLOUT;
    if (once) event.events |= EPOLLET;
    if (epoll_ctl(poller, EPOLL_CTL_ADD, descriptor, &event) == 0) return true;
    return errno == EEXIST && epoll_ctl(poller, EPOLL_CTL_MOD, descriptor, &event) == 0;
}

void cengine_poller_forget(int poller, int descriptor) {
    struct epoll_event unused;
    epoll_ctl(poller, EPOLL_CTL_DEL, descriptor, &unused);
}

int cengine_poller_take(int poller, struct cengine_event *events, int capacity, int milliseconds) {
    struct epoll_event found[MAX_EVENTS];
    int count = epoll_wait(poller, found, capacity < MAX_EVENTS ? capacity : MAX_EVENTS, milliseconds);
    for (int index = 0; index < count; index++) {
        uint32_t bits = found[index].events;
        bool failed = bits & (EPOLLERR | EPOLLHUP);
        bool ended = failed || bits & EPOLLRDHUP;
        events[index] = (struct cengine_event){found[index].data.u64, ended || bits & EPOLLIN, failed || bits & EPOLLOUT, ended};
    }
    return count < 0 ? 0 : count;
}
#else
#include <fcntl.h>
#include <sys/event.h>
#include <time.h>

int cengine_make_poller(void) {
    int poller = kqueue();
    if (poller >= 0) fcntl(poller, F_SETFD, FD_CLOEXEC);
    return poller;
}

static bool change(int poller, int descriptor, int16_t filter, uint16_t flags, uint64_t token) {
    struct kevent event;
    EV_SET(&event, descriptor, filter, flags, 0, 0, (void *)(uintptr_t)token);
    return kevent(poller, &event, 1, NULL, 0, NULL) == 0;
}

bool cengine_poller_watch(int poller, int descriptor, uint64_t token, bool reads, bool writes, bool once) {
    uint16_t add = EV_ADD | (once ? EV_CLEAR : 0);
    cengine_poller_forget(poller, descriptor);
    if (reads && !change(poller, descriptor, EVFILT_READ, add, token)) return false;
    return !writes || change(poller, descriptor, EVFILT_WRITE, add, token);
}

void cengine_poller_forget(int poller, int descriptor) {
    change(poller, descriptor, EVFILT_READ, EV_DELETE, 0);
    change(poller, descriptor, EVFILT_WRITE, EV_DELETE, 0);
}

int cengine_poller_take(int poller, struct cengine_event *events, int capacity, int milliseconds) {
    struct kevent found[MAX_EVENTS];
    struct timespec limit = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    int count = kevent(poller, NULL, 0, found, capacity < MAX_EVENTS ? capacity : MAX_EVENTS, milliseconds < 0 ? NULL : &limit);
    for (int index = 0; index < count; index++) {
        bool ended = found[index].flags & (EV_EOF | EV_ERROR);
        bool reads = found[index].filter == EVFILT_READ, writes = found[index].filter == EVFILT_WRITE;
        events[index] = (struct cengine_event){(uint64_t)(uintptr_t)found[index].udata, ended || reads, ended || writes, ended};
    }
    return count < 0 ? 0 : count;
}
#endif
