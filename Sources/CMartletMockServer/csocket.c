#define _GNU_SOURCE
#include "ctls.h"

#include <fcntl.h>
#include <sys/socket.h>

int csocket_accept(int listener) {
#if defined(__linux__)
    // At once, so that no other thread can run a program in between.
    return accept4(listener, 0, 0, SOCK_CLOEXEC | SOCK_NONBLOCK);
#else
    int made = accept(listener, 0, 0);
    if (made >= 0) {
        fcntl(made, F_SETFD, FD_CLOEXEC);
        fcntl(made, F_SETFL, O_NONBLOCK);
    }
    return made;
#endif
}
