#define _GNU_SOURCE
#include "csocket.h"

#if defined(__linux__)
#include <stddef.h>
#include <sys/socket.h>

// Both flags are set at creation, so that no other thread can run a program in between. Swift does not import accept4.
int csocket_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }
#endif
