#define _GNU_SOURCE
#include "ctls.h"

#include <sys/socket.h>

int csocket_accept(int listener) { return accept4(listener, 0, 0, SOCK_CLOEXEC | SOCK_NONBLOCK); }
